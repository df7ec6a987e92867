/** One line of the dropdown: the term that choosing it searches for, and where it comes from. */
export type Entry = { term: string; kind: 'recent' | 'trending' | 'suggestion' }

const mostOfEach = 5
const mostShown = 8

function withoutRepeats(entries: Entry[]): Entry[] {
  const seen = new Set<string>()
  return entries.filter(({ term }) => {
    const isNew = !seen.has(term.toLowerCase())
    seen.add(term.toLowerCase())
    return isNew
  })
}

type Term = { search_term: string }

/** Before anything is typed: up to 5 recent, then up to 5 trending terms, 8 at most, none twice. */
export function entriesFrom(recent: Term[], trending: Term[]): Entry[] {
  const entries: Entry[] = [
    ...recent.slice(0, mostOfEach).map(({ search_term: term }) => ({ term, kind: 'recent' as const })),
    ...trending.slice(0, mostOfEach).map(({ search_term: term }) => ({ term, kind: 'trending' as const })),
  ]
  return withoutRepeats(entries).slice(0, mostShown)
}

export function entriesFor(suggestions: { title: string }[]): Entry[] {
  return withoutRepeats(suggestions.map(({ title }) => ({ term: title, kind: 'suggestion' as const }))).slice(
    0,
    mostShown,
  )
}
