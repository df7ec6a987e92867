import { useSearchParams } from 'react-router-dom'
import { withParams } from './filters.ts'

/** Returns a function that changes the given parameters of the page's URL and keeps the others. */
export function useChangeParams(): (changes: Record<string, string | null>) => void {
  const [params, setParams] = useSearchParams()
  return (changes) => setParams(withParams(params, changes), { preventScrollReset: true })
}
