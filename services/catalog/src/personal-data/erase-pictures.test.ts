import { transaction } from '@marketplace/kit/db/db.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, lamp, type Harness } from '../testing/harness.ts'
import { announce, makePicture, startTestWorker, type TestWorker } from '../testing/pictures.ts'
import { personalData } from './personal-data.ts'

let harness: Harness
let worker: TestWorker

beforeAll(async () => {
  harness = await createHarness()
  worker = startTestWorker(harness)
})
afterAll(async () => {
  await worker.stop()
  await harness.close()
})

const picturesOf = (userId: string) => harness.rows('select state from pictures where uploader_id = $1', [userId])

it('PHOTO-18 pictures are exported with their addresses, and erased from listings and store', async () => {
  const [alice, bob] = [randomUser(), randomUser()]
  const [mine, unused] = [
    await makePicture(harness, { as: alice, seed: 2 }),
    await makePicture(harness, { as: alice, seed: 4 }),
  ]
  const copy = await makePicture(harness, { as: bob, seed: 2 })
  await announce(harness, 1000, { as: alice })
  const { body: listing } = await harness.postListing({ ...lamp, pictures: [{ id: mine, alt: 'At home' }] }, alice)
  const { body: picture } = await harness.get(`/api/pictures/${mine}`, alice)
  const { body: copied } = await harness.get(`/api/pictures/${copy}`, bob)
  const path = ({ url }: Record<string, unknown>) => new URL(String(url)).pathname
  const exported = await transaction(harness.db, (trx) => personalData.collect(trx, alice.userId))
  expect(exported).toMatchObject({
    pictures: [
      { id: mine, state: 'ready', createdAt: expect.any(String), address: path(picture) },
      { id: unused, state: 'ready' },
      { state: 'announced', address: null },
    ],
  })
  const erased = await transaction(harness.db, (trx) => personalData.erase(trx, alice.userId))
  expect(erased).toMatchObject({ listings: 1, pictures: 3 })
  expect((await harness.get(`/api/listings/${String(listing['id'])}`)).body).toMatchObject({
    pictures: [],
    image_urls: '[]',
  })
  const [event] = await harness.rows('select payload from outbox where key = $1 order by version desc limit 1', [
    listing['id'],
  ])
  expect(JSON.stringify(event)).not.toContain(mine)
  await expect.poll(() => picturesOf(alice.userId)).toEqual([])
  const status = async (address: string) => (await fetch(harness.first.publicUrl + address)).status
  expect([await status(path(picture)), await status(path(copied))]).toEqual([404, 200])
  expect(await harness.rows('select * from picture_uses where picture_id = $1', [mine])).toEqual([])
})
