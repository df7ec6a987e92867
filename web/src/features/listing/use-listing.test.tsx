// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { listingQuery } from '../../api/queries/queries.ts'
import { emptyListing } from '../../rules/empty-listing.fixture.ts'
import { useListing } from './use-listing.ts'

const auction = { ...emptyListing, is_auction: true, auction_end_date: '2025-11-20T12:00:00.000Z' }

function Probe({ isLive }: { isLive: boolean }) {
  useListing('l', isLive)
  return null
}

/** Opens the listing in a browser in which `Math.random` returns `random`. Returns the function that shows whether it is live. */
function openPage(random: number) {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(listingQuery('l').queryKey, auction)
  const page = (isLive: boolean) => (
    <QueryClientProvider client={client}>
      <Probe isLive={isLive} />
    </QueryClientProvider>
  )
  const { rerender } = render(page(true))
  return (isLive: boolean) => rerender(page(isLive))
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => void vi.useFakeTimers())

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('browsers whose live streams end at the same moment poll the auction at different moments, after 2 to 3 s', async () => {
  const read = vi.fn(async () => Response.json(auction))
  vi.stubGlobal('fetch', read)
  const pages = [0, 0.5, 0.999].map(openPage)
  await wait(60_000)
  expect(read).toHaveBeenCalledTimes(0)
  for (const setLive of pages) setLive(false)
  const reads: number[] = []
  for (const ms of [1_999, 1, 499, 1, 498, 2]) {
    await wait(ms)
    reads.push(read.mock.calls.length)
  }
  expect(reads).toEqual([0, 1, 1, 2, 2, 3])
})
