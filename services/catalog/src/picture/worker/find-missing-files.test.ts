import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { makePicture, startTestWorker, type TestWorker } from '../../testing/pictures.ts'
import type { PictureStore } from '../store/picture-store.ts'
import { deleteOrphans } from './delete-orphans.ts'

let harness: Harness
let worker: TestWorker
let ids: string[]

beforeAll(async () => {
  harness = await createHarness()
  worker = startTestWorker(harness)
  ids = []
  for (const seed of [1, 2, 3]) ids.push(await makePicture(harness, { seed }))
})
afterAll(async () => {
  await worker.stop()
  await harness.close()
})

/** Runs a pass over all objects, whose listing `changed` may change. Returns the metric. */
async function countMissing(changed: Partial<PictureStore> = {}): Promise<number | undefined> {
  const { db, store } = worker.ctx
  await deleteOrphans({ db, store: { ...store, ...changed } })
  return (await registry.getSingleMetric('catalog_picture_missing_objects')?.get())?.values[0]?.value
}

const keysOf = async (id: string) => (await worker.ctx.store.list(`pictures/${id}`)).map(({ key }) => key)

/** Lists all pictures in pages of `size` objects, without the objects of one picture. */
function listing({ size = 1000, without = 'none' }: { size?: number; without?: string }): Partial<PictureStore> {
  const { store } = worker.ctx
  return {
    async list(prefix, after) {
      const objects = await store.list(prefix, after)
      if (prefix !== 'pictures/') return objects
      return objects.filter(({ key }) => !key.includes(without)).slice(0, size)
    },
  }
}

it('PHOTO-38 files of ready pictures are complete, whatever the size of a page of objects', async () => {
  for (const size of [1000, 3, 1]) expect([size, await countMissing(listing({ size }))]).toEqual([size, 0])
})

it('PHOTO-38 files of a picture that became ready after its objects were listed are not missing', async () => {
  expect(await countMissing(listing({ without: ids[1] ?? '' }))).toBe(0)
})

it('PHOTO-38 each missing file of a ready picture is counted, but none of a picture that is deleted', async () => {
  const { store } = worker.ctx
  const [first = '', second = '', third = ''] = ids
  const [file = ''] = await keysOf(first)
  await store.remove([file])
  expect(await countMissing()).toBe(1)
  const all = await keysOf(third)
  await store.remove(all)
  for (const size of [1000, 1]) expect(await countMissing(listing({ size }))).toBe(1 + all.length)
  await harness.call('DELETE', `/api/pictures/${third}`, { as: harness.seller })
  expect(await countMissing()).toBe(1)
  expect(await keysOf(second)).not.toEqual([])
})
