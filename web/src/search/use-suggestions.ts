import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { historyQuery, suggestionsQuery, trendingQuery } from '../api/queries/search.ts'
import { useAuth } from '../session/use-auth.ts'
import { toSuggestions, defaultSuggestions, type Suggestion } from './suggestions.ts'
import { searchSessionId } from './session-id.ts'

const typingPauseMs = 120

/** Returns the suggestions for the typed text. Sends no request before the list opens. */
export function useSuggestions(typed: string, isOpen: boolean): Suggestion[] {
  const { user, isPending } = useAuth()
  const term = typed.trim()
  const [settledTerm] = useDebouncedValue(term, typingPauseMs)
  const history = historyQuery(searchSessionId(), user !== null)
  const { data: recent = [] } = useQuery({ ...history, enabled: isOpen && !isPending })
  const { data: trending = [] } = useQuery({ ...trendingQuery, enabled: isOpen })
  const query = suggestionsQuery(settledTerm)
  const { data: suggestions = [] } = useQuery({
    ...query,
    enabled: isOpen && settledTerm !== '' && term !== '',
    placeholderData: keepPreviousData,
  })
  return term === '' ? defaultSuggestions(recent, trending) : toSuggestions(settledTerm === '' ? [] : suggestions)
}
