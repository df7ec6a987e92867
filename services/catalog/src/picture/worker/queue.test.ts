import { plansOf } from '@marketplace/kit/db/query-plans.fixture.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { claimPicture } from './queue.repo.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness()
})
afterAll(() => harness.close())

it('the queue of the picture worker is read without the pictures that are not due', async () => {
  const plans = await plansOf(harness.db, (trx) => claimPicture(trx, 60_000))
  expect(plans.filter((line) => line.includes('Index Cond'))).toContainEqual(expect.stringContaining('next_at <='))
})
