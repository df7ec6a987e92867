import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, lamp, type Harness } from '../testing/harness.ts'
import { makePicture, startTestWorker, type TestWorker } from '../testing/pictures.ts'
import { flagMatchingPictures } from './match-pictures.repo.ts'

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

const isFlagged = async (id: string) => (await harness.rows('select is_flagged from pictures where id = $1', [id]))[0]

it('PHOTO-17 a picture that matches one in another person’s active listing is flagged, and no other picture', async () => {
  const thief = randomUser()
  const original = await makePicture(harness, { seed: 3 })
  await harness.createListing({ pictures: [{ id: original }] })
  const unlisted = await makePicture(harness, { seed: 5 })
  const [copy, own, other, ofUnlisted] = [
    await makePicture(harness, { as: thief, seed: 3 }),
    await makePicture(harness, { seed: 3 }),
    await makePicture(harness, { as: thief, seed: 9 }),
    await makePicture(harness, { as: thief, seed: 5 }),
  ]
  expect(await flagMatchingPictures(harness.db)).toBe(6)
  expect(await isFlagged(copy)).toEqual({ is_flagged: true })
  for (const id of [original, unlisted, own, other, ofUnlisted])
    expect(await isFlagged(id)).toEqual({ is_flagged: false })
  expect(await flagMatchingPictures(harness.db)).toBe(0)
})

it('PHOTO-17 a difference of 3 bits matches, and one of 4 does not', async () => {
  const [seller, thief] = [randomUser(), randomUser()]
  const original = await makePicture(harness, { as: seller, seed: 11 })
  await harness.postListing({ ...lamp, pictures: [{ id: original }] }, seller)
  for (const [bits, expected] of [
    [3, true],
    [4, false],
  ] as const) {
    const copy = await makePicture(harness, { as: thief, seed: 11 })
    // One bit of each band, so that a difference of 4 bits leaves no band in common.
    const mask = Array.from({ length: 64 }, (_, n) => (n % 16 === 0 && n / 16 < bits ? '1' : '0')).join('')
    await harness.rows(`update pictures set phash = phash # $2::bit(64) where id = $1`, [copy, mask])
    await harness.rows(
      `update picture_bands set bits = (select substring(phash from band * 16 + 1 for 16)::bit(16)::int from pictures where id = $1)
       where picture_id = $1`,
      [copy],
    )
    await flagMatchingPictures(harness.db)
    expect([bits, await isFlagged(copy)]).toEqual([bits, { is_flagged: expected }])
  }
})
