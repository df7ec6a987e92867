import { useSearchParams } from 'react-router-dom'
import { NativeSelect } from '../../../ui/controls/NativeSelect.tsx'
import { formatNames } from './active-filters.ts'
import { useChangeParams } from './use-change-params.ts'

/** The filter by auction or fixed price. `counts` maps formats to numbers of listings and can be incomplete. */
export function FormatSelect({ counts }: { counts: ReadonlyMap<string, number> }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  const options = Object.entries(formatNames).map(([value, name]) => {
    const count = counts.get(value)
    return { value, label: count === undefined ? name : `${name} (${count.toLocaleString('en-US')})` }
  })
  return (
    <NativeSelect
      label="Format"
      data={[{ value: '', label: 'Any' }, ...options]}
      value={params.get('format') ?? ''}
      onChange={(event) => change({ format: event.currentTarget.value })}
    />
  )
}
