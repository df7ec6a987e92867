import { MarketplaceClient } from '../client.ts'

// What people look for, and how many of them: enough for the hero, few enough that real searches soon lead.
const SEARCHES: readonly (readonly [term: string, searchers: number])[] = [
  ['camera', 8],
  ['bicycle', 7],
  ['watch', 6],
  ['lamp', 5],
  ['guitar', 4],
  ['headphones', 3],
  ['art books', 2],
  ['running shoes', 2],
]

/** Searches of visitors who found something, unless others have searched enough within the last 24 hours. */
export async function search(url: string): Promise<void> {
  const visitor = new MarketplaceClient(url)
  const trending = await visitor.get<unknown[]>('/api/search/trending')
  if (trending.length >= SEARCHES.length) return
  for (const [term, searchers] of SEARCHES) {
    const { headers } = await visitor.send('GET', `/api/listings?limit=1&search=${encodeURIComponent(term)}`)
    const result_count = Number.parseInt(headers.get('x-total-count') ?? '0')
    for (let searcher = 1; searcher <= searchers; searcher += 1) {
      const session_id = `demo visitor ${searcher}`
      await visitor.post('/api/search/track', { search_term: term, session_id, result_count })
    }
  }
}
