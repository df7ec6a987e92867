import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../testing/harness.ts'
import { createViewBuffer } from './view-buffer.ts'

let harness: Harness

beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

const viewOf = (listingId: string, viewer: number) => ({
  listingId,
  viewer: String(viewer).padStart(64, '0'),
  network: null,
})

const limits = { repeatMs: 60_000, maxPerNetwork: 10 }
it('keeps 100,000 waiting views while the database fails, drops further ones, and accepts views again after a flush', async () => {
  const [first, second] = [newId(), newId()]
  const buffer = createViewBuffer({ db: harness.db, log: openLog('catalog', 'silent'), limits })
  for (let viewer = 0; viewer < 100_002; viewer += 1) buffer.add(viewOf(first, viewer))
  await harness.rows('alter table counted_views rename to counted_views_away')
  try {
    await expect(buffer.flush()).rejects.toThrow('counted_views')
  } finally {
    await harness.rows('alter table counted_views_away rename to counted_views')
  }
  buffer.add(viewOf(second, 0))
  expect(await buffer.flush()).toBe(5000)
  for (let viewer = 1; viewer <= 2; viewer += 1) buffer.add(viewOf(second, viewer))
  await buffer.drain()
  const counts = await harness.rows(
    'select listing_id, view_count from listing_view_counts where listing_id = any($1) order by view_count desc',
    [[first, second]],
  )
  expect(counts).toEqual([
    { listing_id: first, view_count: 100_000 },
    { listing_id: second, view_count: 2 },
  ])
})
