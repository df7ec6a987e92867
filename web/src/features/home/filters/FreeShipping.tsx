import { useSearchParams } from 'react-router-dom'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { useChangeParams } from './use-change-params.ts'

/**
 * The filter for listings with free shipping. `count` is the number of such listings, or undefined if it is not known.
 */
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
