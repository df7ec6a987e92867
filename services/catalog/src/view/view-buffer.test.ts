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

it('drops further views while it is full and accepts views again after a flush', async () => {
  const [first, second] = [newId(), newId()]
  const log = openLog('catalog', 'silent')
  const buffer = createViewBuffer({
    db: harness.db,
    log,
    limits: { repeatMs: 60_000, maxPerNetwork: 10 },
    maxWaiting: 3,
  })
  for (let viewer = 0; viewer < 5; viewer += 1) buffer.add(viewOf(first, viewer))
  expect(await buffer.flush()).toBe(0)
  for (let viewer = 0; viewer < 2; viewer += 1) buffer.add(viewOf(second, viewer))
  await buffer.drain()
  const counts = await harness.rows(
    'select listing_id, view_count from listing_view_counts where listing_id = any($1) order by view_count desc',
    [[first, second]],
  )
  expect(counts).toEqual([
    { listing_id: first, view_count: 3 },
    { listing_id: second, view_count: 2 },
  ])
})
