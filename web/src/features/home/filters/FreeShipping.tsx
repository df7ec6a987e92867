import { useSearchParams } from 'react-router-dom'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { useChangeParams } from './use-change-params.ts'

/** The filter for listings without shipping cost. `count` is the number of such listings, if it is known. */
export function FreeShipping({ count }: { count: number | undefined }) {
  const [params] = useSearchParams()
  const change = useChangeParams()
  return (
    <Checkbox
      label={count === undefined ? 'Free shipping' : `Free shipping (${count.toLocaleString('en-US')})`}
      checked={params.get('freeShipping') === 'true'}
      onChange={(event) => change({ freeShipping: event.currentTarget.checked ? 'true' : null })}
    />
  )
}
