import { MarketplaceClient } from './client.ts'

// Enough terms to fill the trending list. They come from one address, so each counts once, and the last one ranks first.
const demoSearches = ['running shoes', 'framed print', 'laptop', 'lamp', 'bicycle', 'sofa', 'sneakers', 'camera']

/** Tracks searches of a visitor, unless enough terms have trended within the last 24 hours. */
export async function search(url: string): Promise<void> {
  const visitor = new MarketplaceClient(url)
  const trending = await visitor.get<unknown[]>('/api/search/trending')
  if (trending.length >= demoSearches.length) return
  for (const term of demoSearches) {
    const { headers } = await visitor.send('GET', `/api/listings?limit=1&search=${encodeURIComponent(term)}`)
    const result_count = Number.parseInt(headers.get('x-total-count') ?? '0')
    await visitor.post('/api/search/track', { search_term: term, session_id: 'demo visitor', result_count })
  }
}
