// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listingQuery } from '../../api/queries/queries.ts'
import type { ListingDetail } from '../../api/client/types.ts'
import { emptyListing } from '../../rules/empty-listing.fixture.ts'
import { useStoredEnd } from './use-stored-end.ts'

const open = { ...emptyListing, is_auction: true, auction_end_date: '2025-11-20T12:00:00.000Z' }
const ended = { ...open, is_active: false }
const stored = { ...ended, status: 'sold' as const, ended_at: '2025-11-20T11:00:00.000Z', end_reason: 'sold' as const }
const quarterHourMs = 15 * 60_000

function Probe() {
  useStoredEnd(useQuery({ ...listingQuery('l'), staleTime: Number.POSITIVE_INFINITY, retry: false }).data)
  return null
}

/** Renders a page with a cached listing, and returns the function that its reads call, which responds as given. */
function renderPage(cached: ListingDetail, respond: (reads: number) => Response) {
  const read = vi.fn(async () => respond(read.mock.calls.length))
  vi.stubGlobal('fetch', read)
  const client = new QueryClient()
  client.setQueryData(listingQuery('l').queryKey, cached)
  render(
    <QueryClientProvider client={client}>
      <Probe />
    </QueryClientProvider>,
  )
  return { read, client }
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('LIST-27 reads an auction that has ended until its end is stored', async () => {
  const { read, client } = renderPage(ended, (reads) => Response.json(reads < 3 ? ended : stored))
  await wait(quarterHourMs)
  expect(read).toHaveBeenCalledTimes(3)
  expect(client.getQueryData(listingQuery('l').queryKey)).toEqual(stored)
})

it('LIST-27 starts to read when the live stream reports the end', async () => {
  const { read, client } = renderPage(open, () => Response.json(stored))
  await wait(quarterHourMs)
  expect(read).toHaveBeenCalledTimes(0)
  act(() => void client.setQueryData(listingQuery('l').queryKey, ended))
  await wait(quarterHourMs)
  expect(read).toHaveBeenCalledTimes(1)
})

it.each([
  ['a stored end', stored],
  ['a fixed price', { ...ended, is_auction: false }],
])('LIST-27 does not read a listing with %s', async (_case, listing) => {
  const { read } = renderPage(listing, () => Response.json(listing))
  await wait(quarterHourMs)
  expect(read).toHaveBeenCalledTimes(0)
})

it('LIST-27 stops when the listing is gone', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { read } = renderPage(ended, () => Response.json({ error: 'gone' }, { status: 404 }))
  await wait(quarterHourMs)
  expect(read).toHaveBeenCalledTimes(1)
})

it('LIST-27 stops after 20 reads without a stored end', async () => {
  const { read } = renderPage(ended, () => Response.json(ended))
  await wait(2 * quarterHourMs)
  expect(read).toHaveBeenCalledTimes(20)
})
