import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { historyQuery, suggestionsQuery, trendingQuery } from '../api/search.ts'
import { useAuth } from '../session/use-auth.ts'
import { entriesFor, entriesFrom, type Entry } from './entries.ts'
import { searchSessionId } from './session-id.ts'

const typingPauseMs = 120

/** What the dropdown lists for what is typed. Nothing is asked before it opens. */
export function useEntries(typed: string, isOpen: boolean): Entry[] {
  const { user, isPending } = useAuth()
  const term = typed.trim()
  const [settledTerm] = useDebouncedValue(term, typingPauseMs)
  const history = historyQuery(searchSessionId(), user !== null)
  const { data: recent = [] } = useQuery({ ...history, enabled: isOpen && !isPending })
  const { data: trending = [] } = useQuery({ ...trendingQuery, enabled: isOpen })
  const wanted = suggestionsQuery(settledTerm)
  const { data: suggestions = [] } = useQuery({
    ...wanted,
    enabled: isOpen && settledTerm !== '' && term !== '',
    placeholderData: keepPreviousData,
  })
  return term === '' ? entriesFrom(recent, trending) : entriesFor(settledTerm === '' ? [] : suggestions)
}
