import { MarketplaceClient } from './client.ts'

// Enough searches to fill the trending list, few enough that real searches soon outnumber them.
const demoSearches: readonly (readonly [term: string, searchers: number])[] = [
  ['camera', 8],
  ['sneakers', 7],
  ['sofa', 6],
  ['bicycle', 5],
  ['lamp', 4],
  ['laptop', 3],
  ['framed print', 2],
  ['running shoes', 2],
]

/** Tracks searches of visitors, unless enough terms have trended within the last 24 hours. */
export async function search(url: string): Promise<void> {
  const visitor = new MarketplaceClient(url)
  const trending = await visitor.get<unknown[]>('/api/search/trending')
  if (trending.length >= demoSearches.length) return
  for (const [term, searchers] of demoSearches) {
    const { headers } = await visitor.send('GET', `/api/listings?limit=1&search=${encodeURIComponent(term)}`)
    const result_count = Number.parseInt(headers.get('x-total-count') ?? '0')
    for (let searcher = 1; searcher <= searchers; searcher += 1) {
      const session_id = `demo visitor ${searcher}`
      await visitor.post('/api/search/track', { search_term: term, session_id, result_count })
    }
  }
}
