import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { expect, it } from 'vitest'
import type { CardListing } from '../../../api/client/types.ts'
import { RenderedAt } from '../../../api/clock/use-server-now.ts'
import { hydrateCache } from '../../../api/hydration/hydrate-cache.ts'
import { emptyCard } from '../../../rules/empty-listing.fixture.ts'
import { AuthProvider } from '../../../session/AuthProvider.tsx'
import { railFilters } from './rails.ts'
import { Rails } from './Rails.tsx'

const now = Date.parse('2025-11-20T12:00:00Z')
const ending = { is_auction: true, auction_end_date: new Date(now + 60_000).toISOString() }

function listings(title: string, change: Partial<CardListing> = {}): CardListing[] {
  const picture = 'https://pictures.example/1.jpg'
  return Array.from({ length: 6 }, (_, index) => ({ ...emptyCard, picture, id: `${title}${index}`, title, ...change }))
}

/** Renders the rails as the server does, with the cards of the first step. */
function prerenderRails(byEnd: CardListing[], newest: CardListing[]): string {
  const queryClient = new QueryClient()
  const lists = [
    { filters: railFilters.byEnd, listings: byEnd, total: null, link: null, corrected: null },
    { filters: railFilters.newest, listings: newest, total: null, link: null, corrected: null },
  ]
  hydrateCache(queryClient, { at: new Date(now).toISOString(), lists }, now)
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RenderedAt value={now}>
        <MemoryRouter>
          <AuthProvider>
            <Rails limit={3} />
          </AuthProvider>
        </MemoryRouter>
      </RenderedAt>
    </QueryClientProvider>,
  )
}

it.each([
  ['Ending soon', listings('auction', ending)],
  ['Free shipping', []],
])(
  'prerendered pictures are those of %s, the first rail with listings; its first one is fetched before all others',
  (heading, byEnd) => {
    const html = prerenderRails(byEnd, listings('old'))
    expect(/<h2[^>]*>([^<]*)/.exec(html)?.[1]).toBe(heading)
    const images = html.match(/<img[^>]*>/g) ?? []
    expect(images.map((image) => /loading="(\w+)"/.exec(image)?.[1])).toEqual(['eager', 'lazy', 'lazy'])
    expect(images.map((image) => image.includes('fetchPriority="high"'))).toEqual([true, false, false])
  },
)
