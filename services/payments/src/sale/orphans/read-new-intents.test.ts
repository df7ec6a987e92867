import type { Service } from '@marketplace/kit/app/service.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy } from '../../testing/calls.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { intentsOf } from '../../testing/ledger.ts'

let harness: Harness
let service: Service

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterEach(() => harness.cards.faults.clear())
afterAll(() => harness.stop())

const create = (saleId: string) =>
  harness.cards.stripe.paymentIntents.create({
    amount: 2549,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    metadata: { sale: saleId },
  } satisfies Stripe.PaymentIntentCreateParams)

const countLists = () =>
  harness.cards.requests.filter(({ method, path }) => method === 'GET' && path.startsWith('/v1/payment_intents?'))
    .length

/** Requests a checkout whose intent the provider creates with a response of status 500. */
async function orphanIntent() {
  const { listingId } = harness.catalog.addItem()
  const buyer = randomUser()
  harness.cards.faults.add({ kind: 'error', operation: 'create' })
  expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
  return { listingId, buyer }
}

const position = async () =>
  (await sql<{ read_until: number; scan_after: string | null }>`select * from intent_position`.execute(harness.db))
    .rows[0]

const salesOf = (listingId: string) =>
  harness.db.selectFrom('transactions').selectAll().where('listing_id', '=', listingId)

async function createOthers(count: number): Promise<void> {
  for (let created = 0; created < count; created += 50)
    await Promise.all(Array.from({ length: 50 }, () => create(newId())))
}

/** Moves the position past the intents that exist, as if their time of creation were long ago. */
const movePosition = () =>
  sql`update intent_position set read_until = extract(epoch from clock_timestamp())::bigint + 3600`.execute(harness.db)

describe('the search for an orphaned intent', () => {
  it('reads 1000 intents per look, and continues until it has read those that existed before', async () => {
    const { listingId, buyer } = await orphanIntent()
    const [orphan] = await intentsOf(harness, listingId)
    await createOthers(1000)
    const before = countLists()
    const { body } = await buy(harness, service, buyer, listingId)
    expect(`${body['payment_intent_id']} requires_payment_method`).toBe(orphan)
    // A look makes 10 requests of 100 intents, and one more to see whether the list ends there.
    expect(countLists() - before).toBe(12)
    expect(await position()).toMatchObject({ scan_after: null })
  })

  it('stops after 1000 intents without a provider error, and the next search continues there', async () => {
    const { listingId, buyer } = await orphanIntent()
    await createOthers(1000)
    await sql`update transactions set faults = 0 where listing_id = ${listingId}`.execute(harness.db)
    const before = countLists()
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
    expect(countLists() - before).toBe(11)
    expect((await position())?.scan_after).not.toBeNull()
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(await position()).toMatchObject({ scan_after: null })
  })

  it('does not read again the intents before the stored position', async () => {
    const { listingId, buyer } = await orphanIntent()
    await createOthers(150)
    await movePosition()
    const before = countLists()
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(countLists() - before).toBe(1)
    expect(await salesOf(listingId).executeTakeFirst()).toMatchObject({ state: 'payable' })
  })

  it('stores no intent that belongs to a sale', async () => {
    const { listingId } = harness.catalog.addItem()
    await sql`update intent_position set read_until = extract(epoch from clock_timestamp())::bigint - 60`.execute(
      harness.db,
    )
    expect(await buy(harness, service, randomUser(), listingId)).toMatchObject({ status: 201 })
    const other = await orphanIntent()
    expect(await buy(harness, service, other.buyer, other.listingId)).toMatchObject({ status: 201 })
    const [sale] = await salesOf(listingId).execute()
    const { rows } = await sql`select from orphaned_intents where sale_id = ${sale?.id}`.execute(harness.db)
    expect(rows).toEqual([])
  })
})
