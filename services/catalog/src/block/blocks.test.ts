import { BlockChangedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { SaleType } from '@marketplace/contracts/gen/marketplace/sales/v1/sales_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser, type TestUser } from '@marketplace/testing/keys.ts'
import { applyBatch, upstreamEvent } from '@marketplace/testing/upstream-events.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personalData } from '../personal-data/personal-data.ts'
import { createHarness, type Harness, type Instance } from '../testing/harness.ts'
import { actOnOffer, createOffer, postOffer, readOfferStatuses } from '../testing/offers.ts'
import { deleteEndedBlocks } from '@marketplace/kit/blocks/block-projection.ts'
import { memberBlocksConsumer } from './member-blocks.consumer.ts'

type Change = [blocker: TestUser, blocked: TestUser, sign: '+' | '-', number: number]

const rounds = 50

let harness: Harness
let seller: TestUser
let buyer: TestUser

beforeAll(async () => {
  harness = await createHarness()
  seller = harness.seller
})
afterAll(() => harness.close())
beforeEach(() => {
  buyer = randomUser('Mallory')
})

/** Applies BlockChanged events in one batch: `+` blocks, `-` unblocks. */
const change = (...changes: Change[]) =>
  applyBatch(
    harness.db,
    memberBlocksConsumer,
    changes.map(([{ userId: blockerId }, { userId: blockedId }, sign, number]) => {
      const message = { blockerId, blockedId, isBlocked: sign === '+', number: BigInt(number) }
      return upstreamEvent(topics.users, BlockChangedSchema, message, blockerId)
    }),
  )

const offer = (listingId: string, as: TestUser, at?: Instance) =>
  postOffer(harness, as, { listing_id: listingId, amount: 20 }, at)
const rejected = { status: 403, body: { code: 'seller_unavailable', error: "This seller isn't available to you." } }

async function checkOut(listingId: string, by: TestUser): Promise<string> {
  const request = { saleId: newId(), listingId, buyerId: by.userId, saleType: SaleType.BUY_NOW }
  const { answer } = await harness.sales.hold(request)
  return answer.case === 'held' ? 'held' : (answer.value?.code ?? '')
}

describe('a blocked member', () => {
  it('BLOCK-05 cannot make an offer to the blocker or check out an item, and can again once unblocked', async () => {
    const listingId = await harness.createListing()
    await change([seller, buyer, '+', 1])
    expect(await offer(listingId, buyer)).toMatchObject(rejected)
    expect(await checkOut(listingId, buyer)).toBe('seller_unavailable')
    expect((await offer(listingId, randomUser())).status).toBe(201)
    await change([seller, buyer, '-', 2])
    expect((await offer(listingId, buyer)).status).toBe(201)
    expect(await checkOut(listingId, buyer)).toBe('held')
  })

  it('BLOCK-05 continues an open checkout', async () => {
    const listingId = await harness.createListing()
    expect(await checkOut(listingId, buyer)).toBe('held')
    await change([seller, buyer, '+', 1])
    expect(await checkOut(listingId, buyer)).toBe('held')
  })

  it('BLOCK-05 does not keep the blocker from making an offer', async () => {
    await change([buyer, seller, '+', 1])
    expect((await offer(await harness.createListing(), buyer)).status).toBe(201)
  })

  it('BLOCK-04 is the latest state whatever the order of the events, and each event may come twice', async () => {
    const statusAfter = async (...changes: Change[]) => {
      await change(...changes)
      return (await offer(await harness.createListing(), buyer)).status
    }
    expect(await statusAfter([seller, buyer, '-', 2])).toBe(201)
    expect(await statusAfter([seller, buyer, '+', 1])).toBe(201)
    expect(await statusAfter([seller, buyer, '+', 3], [seller, buyer, '+', 3])).toBe(403)
    expect(await statusAfter([seller, buyer, '-', 2], [seller, buyer, '+', 1])).toBe(403)
    expect(await statusAfter([seller, buyer, '-', 4])).toBe(201)
  })
})

describe('a block', () => {
  it.each([
    ['the seller blocks the buyer', () => [seller, buyer] as const],
    ['the buyer blocks the seller', () => [buyer, seller] as const],
  ])(
    'BLOCK-06 withdraws pending offers and counter-offers between the two, and no others, when %s',
    async (_case, sides) => {
      const [plain, countered, foreign] = [
        await harness.createListing(),
        await harness.createListing(),
        await harness.createListing(),
      ]
      await createOffer(harness, plain, buyer)
      const id = await createOffer(harness, countered, buyer)
      await actOnOffer(harness, id, 'counter', { as: seller, body: { amount: 22 } })
      await createOffer(harness, foreign, randomUser())
      await change([...sides(), '+', 1])
      expect(await readOfferStatuses(harness, plain)).toEqual(['buyer withdrawn'])
      expect(await readOfferStatuses(harness, countered)).toEqual(['buyer rejected', 'seller withdrawn'])
      expect(await readOfferStatuses(harness, foreign)).toEqual(['buyer pending'])
    },
  )

  it('BLOCK-06 keeps an accepted offer', async () => {
    const listingId = await harness.createListing()
    await actOnOffer(harness, await createOffer(harness, listingId, buyer), 'accept', { as: seller })
    await change([seller, buyer, '+', 1])
    expect(await readOfferStatuses(harness, listingId)).toEqual(['buyer accepted'])
  })

  // Without `lockPairs`, offers that are made or countered during the block stay pending.
  it('BLOCK-06 leaves no pending offer when it competes with offers and counter-offers, 50 times', async () => {
    const countered = await harness.createListing()
    for (let round = 0; round < rounds; round += 1) {
      const mallory = randomUser('Mallory')
      const listingId = await harness.createListing()
      const id = await createOffer(harness, countered, mallory)
      await Promise.all([
        offer(listingId, mallory, harness.first),
        actOnOffer(harness, id, 'counter', { as: seller, body: { amount: 22 }, at: harness.second }),
        change([seller, mallory, '+', 1]),
        offer(listingId, mallory, harness.second),
      ])
      const text = `select listing_id from offers where buyer_id = $1 and status = 'pending'`
      expect(await harness.rows(text, [mallory.userId])).toEqual([])
      expect(await offer(listingId, mallory)).toMatchObject(rejected)
    }
  }, 120_000)

  it('BLOCK-08 is deleted by an erasure of either side', async () => {
    const [one, other] = [randomUser(), randomUser()]
    for (const { userId } of [one, other]) {
      await change([one, other, '+', 1])
      expect(await transaction(harness.db, (trx) => personalData.erase(trx, userId))).toMatchObject({ blocks: 1 })
      expect(await harness.rows('select 1 from blocks where blocker_id = $1', [one.userId])).toEqual([])
    }
  })

  it('BLOCK-04 is deleted 30 days after its end, and not before', async () => {
    const other = randomUser()
    await change([seller, buyer, '+', 1], [seller, other, '-', 2])
    const left = () =>
      harness.rows('select blocked_id from blocks where blocked_id = any($1) order by is_blocked', [
        [buyer.userId, other.userId],
      ])
    await deleteEndedBlocks(harness.db)
    expect(await left()).toHaveLength(2)
    await harness.rows(`update blocks set changed_at = changed_at - interval '30 days'`)
    await deleteEndedBlocks(harness.db)
    expect(await left()).toEqual([{ blocked_id: buyer.userId }])
  })
})
