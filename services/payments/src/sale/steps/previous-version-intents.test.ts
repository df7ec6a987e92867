import type { Service } from '@marketplace/kit/app/service.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLedgerMatchesProvider, expectPaidOnce } from '../../testing/ledger-assertions.ts'
import { buy, cancel, confirm, openCheckout } from '../../testing/calls.ts'
import { intentsOf, statesOf } from '../../testing/ledger.ts'
import { createPreviousVersion, type PreviousVersion } from '../../testing/previous-version.ts'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { waitForStates } from '../../testing/sweeps.ts'

let harness: Harness
let service: Service
let previous: PreviousVersion

beforeAll(async () => {
  harness = await createHarness()
  service = await harness.start({ SWEEP_INTERVAL_MS: 50, RETRY_DELAY_MS: 100 })
  previous = createPreviousVersion(harness)
})
afterEach(async () => {
  harness.cards.before = async () => {}
  harness.cards.faults.clear()
  await expectLedgerMatchesProvider(harness)
})
afterAll(() => harness.stop())

const isCreate = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/payment_intents'

/** Creates a held sale without an intent: its first call did not reach the provider. */
async function heldSale() {
  const { listingId } = harness.catalog.addItem()
  const buyer = randomUser()
  harness.cards.faults.add({ kind: 'down', operation: 'create', times: 3 })
  expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
  expect([await statesOf(harness, listingId), await intentsOf(harness, listingId)]).toEqual([['held'], []])
  const { id: saleId } = await harness.db
    .selectFrom('transactions')
    .select('id')
    .where('listing_id', '=', listingId)
    .executeTakeFirstOrThrow()
  return { listingId, buyer, saleId }
}

/** Blocks the new version's create call at the provider; its key differs from the previous version's. */
function blockCreate() {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  harness.cards.before = async (request) => {
    if (!isCreate(request) || !request.key?.endsWith(':intent2')) return
    reached.resolve()
    await gate.promise
  }
  return { reached: reached.promise, release: gate.resolve }
}

describe('a sale whose intent the previous version created', () => {
  it('and stored is paid with that intent', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    const created = await previous.create(saleId)
    await previous.commit(saleId, created)
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(intent).toEqual({ payment_intent_id: created.id, client_secret: created.client_secret })
    expect(await intentsOf(harness, listingId)).toEqual([`${created.id} requires_payment_method`])
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200 })
    await expectPaidOnce(harness, listingId)
  })

  // Fails when ensureIntent does not search for orphaned intents: it then creates a second intent.
  it('and never stored is paid with that intent', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    const created = await previous.create(saleId)
    const intent = await openCheckout(harness, service, buyer, listingId)
    expect(intent.payment_intent_id).toBe(created.id)
    expect(await intentsOf(harness, listingId)).toEqual([`${created.id} requires_payment_method`])
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200 })
    await expectPaidOnce(harness, listingId)
  })

  it('and never stored is canceled with that intent', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    const created = await previous.create(saleId)
    const intent = await openCheckout(harness, service, buyer, listingId)
    await cancel(harness, service, buyer, intent)
    await waitForStates(harness, listingId, ['released'])
    expect(await intentsOf(harness, listingId)).toEqual([`${created.id} canceled`])
  })

  // Fails without cancelOrphanedIntents in adoptIntent (recover-intent.ts).
  it('after the new version lost its response is paid with one of the two, and the other is canceled', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    harness.cards.faults.add({ kind: 'time_out', operation: 'create', ms: 0, times: 3 })
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
    await previous.create(saleId)
    const intent = await openCheckout(harness, service, buyer, listingId)
    const intents = await intentsOf(harness, listingId)
    expect(intents).toHaveLength(2)
    expect(intents).toContain(`${intent.payment_intent_id} requires_payment_method`)
    expect(intents.filter((created) => created.endsWith(' canceled'))).toHaveLength(1)
    await harness.cards.pay(intent)
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200 })
    await expectPaidOnce(harness, listingId)
  })
})

describe('both versions that create an intent of one sale concurrently', () => {
  // Fails when ensureIntent does not cancel an intent that was not committed.
  it('keep the previous version’s intent when it is stored first, and cancel the new one', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    const { reached, release } = blockCreate()
    const request = buy(harness, service, buyer, listingId)
    await reached
    const created = await previous.create(saleId)
    expect(await previous.commit(saleId, created)).toBe(created.client_secret)
    release()
    expect(await request).toMatchObject({ status: 201, body: { client_secret: created.client_secret } })
    const intents = await intentsOf(harness, listingId)
    expect(intents).toHaveLength(2)
    expect(intents).toContain(`${created.id} requires_payment_method`)
    expect(intents.filter((each) => each.endsWith(' canceled'))).toHaveLength(1)
  })

  it('keep the new intent when it is stored first, and the previous version cancels its own', async () => {
    const { listingId, buyer, saleId } = await heldSale()
    const { reached, release } = blockCreate()
    const request = buy(harness, service, buyer, listingId)
    await reached
    const created = await previous.create(saleId)
    release()
    const { body } = await request
    expect(await previous.commit(saleId, created)).toBeNull()
    expect(await intentsOf(harness, listingId)).toEqual([
      `${body['payment_intent_id']} requires_payment_method`,
      `${created.id} canceled`,
    ])
  })

  it('return one secret and leave one chargeable intent in any order', async () => {
    const sales = await Promise.all(Array.from({ length: 20 }, () => heldSale()))
    const outcomes = await Promise.all(
      sales.map(async ({ listingId, buyer, saleId }) => {
        const [shown, ...responses] = await Promise.all([
          previous.create(saleId).then((created) => previous.commit(saleId, created)),
          ...Array.from({ length: 3 }, () => buy(harness, service, buyer, listingId)),
        ])
        const secrets = new Set([
          ...responses.map(({ body }) => body['client_secret']),
          ...(shown === null ? [] : [shown]),
        ])
        const open = (await intentsOf(harness, listingId)).filter((each) => !each.endsWith(' canceled'))
        const paidWith = responses[0]?.body['payment_intent_id']
        return { statuses: responses.map(({ status }) => status), secrets: secrets.size, open, paidWith }
      }),
    )
    for (const { statuses, secrets, open, paidWith } of outcomes) {
      expect([statuses, secrets]).toEqual([[201, 201, 201], 1])
      expect(open).toEqual([`${paidWith} requires_payment_method`])
    }
  })
})

describe('a first request', () => {
  it('creates its intent without listing the provider’s intents', async () => {
    const { listingId } = harness.catalog.addItem()
    // Without sweeps, which also send requests to the provider.
    await harness.close(service)
    const idle = harness.open()
    harness.cards.requests.length = 0
    await openCheckout(harness, idle, randomUser(), listingId)
    expect(harness.cards.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/payment_intents'])
  })
})
