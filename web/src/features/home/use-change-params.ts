import { useSearchParams } from 'react-router-dom'
import { withParams } from './filters.ts'

/** Changes parameters of this page's address; the others stay. */
export function useChangeParams(): (changes: Record<string, string | null>) => void {
  const [params, setParams] = useSearchParams()
  return (changes) => setParams(withParams(params, changes), { preventScrollReset: true })
}
