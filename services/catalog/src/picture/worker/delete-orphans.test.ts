import { newId } from '@marketplace/kit/values/ids.ts'
import { registry } from '@marketplace/kit/telemetry/metrics.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import {
  announce,
  drawPicture,
  makePicture,
  sendForm,
  startTestWorker,
  upload,
  workerContext,
  type TestWorker,
} from '../../testing/pictures.ts'
import { deleteOrphans } from './delete-orphans.ts'

let harness: Harness
let worker: TestWorker

beforeAll(async () => {
  harness = await createHarness()
  worker = startTestWorker(harness)
})
afterAll(() => harness.close())

const hourMs = 3_600_000
const metric = async () => (await registry.getSingleMetric('catalog_picture_orphaned_objects')?.get())?.values[0]?.value

it('PHOTO-19 objects that belong to no picture are deleted, and all others stay', async () => {
  const { store } = worker.ctx
  const file = await drawPicture().jpeg().toBuffer()
  const ready = await makePicture(harness)
  const { body: late } = await announce(harness, file.length)
  await sendForm(harness, late.upload, file)
  await harness.call('POST', `/api/pictures/${late.id}/complete`, { as: harness.seller })
  await worker.stop()
  const uploaded = await upload(harness, file)
  // The form of a ready picture is sent again before it expires.
  expect(await sendForm(harness, late.upload, file)).toBe(201)
  const unknown = newId()
  const orphans = [
    `pictures/${unknown}-0123456789abcdef/320.jpg`,
    `uploads/${unknown}.jpg`,
    `pictures/${ready}-0000000000000000/320.jpg`,
  ]
  for (const key of orphans) await store.write(key, 'image/jpeg', file)
  // No worker runs, because its own sweep would set the metric too.
  const ctx = workerContext(harness)
  const names = async () =>
    [...(await store.list('uploads/')), ...(await store.list('pictures/'))].map(({ key }) => key)
  const before = await names()
  expect(await deleteOrphans(ctx)).toBe(0)
  expect(await deleteOrphans(ctx, Date.now() + 2 * hourMs)).toBe(4)
  const gone = new Set([...orphans, `uploads/${late.id}.jpg`])
  expect(await names()).toEqual(before.filter((key) => !gone.has(key)))
  expect((await names()).some((key) => key.includes(uploaded))).toBe(true)
  expect(await metric()).toBe(0)
  await store.write(orphans[0] ?? '', 'image/jpeg', file)
  await deleteOrphans(ctx, Date.now() + 25 * hourMs)
  expect(await metric()).toBe(1)
  await ctx.db.destroy()
})
