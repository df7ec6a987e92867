import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { captureEntries, eventsOf, intentsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { expireSales, makeDue, sweepUntil } from '../testing/sweeps.ts'
import { createHarness, type Harness } from '../testing/harness.ts'

let harness: Harness
let service: Service
const isCreate = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/payment_intents'
const isCancel = ({ path }: { path: string }) => path.endsWith('/cancel')

beforeAll(async () => {
  harness = await createHarness()
  service = harness.open()
})
afterEach(() => {
  harness.cards.dropsResponse = () => false
  harness.cards.before = async () => {}
  harness.catalog.dropsHoldResponse = false
  harness.catalog.dropsSettleResponse = false
  harness.catalog.beforeHold = async () => {}
})
afterAll(() => harness.stop())

/** Blocks matching requests at the provider until `resume` is called. */
function freeze(isFrozen: (request: { method: string; path: string }) => boolean) {
  let resume = () => {}
  let isReached = false
  const resumed = new Promise<void>((resolve) => (resume = resolve))
  harness.cards.before = async (request) => {
    if (!isFrozen(request)) return
    isReached = true
    await resumed
  }
  return { resume, isReached: () => isReached }
}

const holdsOf = (listingId: string) =>
  [...harness.catalog.holds.values()].filter((hold) => hold.listingId === listingId).map((hold) => hold.state)

describe('a hold whose response is lost', () => {
  it('returns 503, and the next request continues the same sale', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.catalog.dropsHoldResponse = true
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await statesOf(harness, listingId)).toEqual(['new'])
    expect(holdsOf(listingId)).toEqual(['held'])
    harness.catalog.dropsHoldResponse = false
    expect(await buy(harness, harness.open(), buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    expect(holdsOf(listingId)).toEqual(['held'])
  })

  it('is released by the sweeper when the buyer does not return', async () => {
    const { listingId } = harness.catalog.addItem()
    harness.catalog.dropsHoldResponse = true
    await buy(harness, service, randomUser(), listingId)
    expect(holdsOf(listingId)).toEqual(['held'])
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    expect(holdsOf(listingId)).toEqual(['released'])
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
  })

  it('publishes an event that frees the item when the notification is lost too', async () => {
    const { listingId } = harness.catalog.addItem()
    harness.catalog.dropsHoldResponse = true
    harness.catalog.dropsSettleResponse = true
    await buy(harness, service, randomUser(), listingId)
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
  })

  it('returns 503 at the deadline, and a hold granted after the release is not used', async () => {
    const { listingId } = harness.catalog.addItem()
    let resume = () => {}
    harness.catalog.beforeHold = () => new Promise((resolve) => (resume = resolve))
    const shortTimeout = harness.open({ HOLD_TIMEOUT_MS: 100 })
    expect(await buy(harness, shortTimeout, randomUser(), listingId)).toMatchObject({ status: 503 })
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    resume()
    harness.catalog.beforeHold = async () => {}
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(harness, listingId)).toEqual(['released', 'payable'])
  })
})

describe('an unavailable inventory service', () => {
  it('returns 503 and leaves only a sale that expires', async () => {
    const { listingId } = harness.catalog.addItem()
    const isolated = harness.open({ CATALOG_INTERNAL_URL: 'http://127.0.0.1:9' })
    expect(await buy(harness, isolated, randomUser(), listingId)).toMatchObject({ status: 503 })
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
  })
})

describe('an intent whose response is lost', () => {
  it('returns 503, and the next request gets the same intent', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    harness.cards.requests.length = 0
    harness.cards.dropsResponse = isCreate
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
    expect(await statesOf(harness, listingId)).toEqual(['held'])
    harness.cards.dropsResponse = () => false
    expect(await buy(harness, harness.open(), buyer, listingId)).toMatchObject({ status: 201 })
    const keys = harness.cards.requests.filter(isCreate).map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
  })

  it('releases the item when the buyer does not return, because the secret was never returned', async () => {
    const { listingId } = harness.catalog.addItem()
    harness.cards.dropsResponse = isCreate
    await buy(harness, service, randomUser(), listingId)
    expect(await statesOf(harness, listingId)).toEqual(['held'])
    harness.cards.dropsResponse = () => false
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    expect(holdsOf(listingId)).toEqual(['released'])
  })
})

describe('a process that is frozen while it creates the intent', () => {
  it('returns no secret of a sale that expired in the meantime', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const { resume, isReached } = freeze(isCreate)
    const request = buy(harness, harness.open(), buyer, listingId)
    await eventually(isReached)
    await expireSales(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    harness.cards.before = async () => {}
    const bob = await openCheckout(harness, service, randomUser('Bob'), listingId)
    resume()
    expect(await request).toMatchObject({ status: 409, body: { code: 'reserved' } })
    expect(await statesOf(harness, listingId)).toEqual(['released', 'payable', 'released'])
    expect(bob.client_secret).toMatch(/^pi_/)
    // Fails when cancelOrphanedIntents skips a sale that has no intent of its own.
    expect(await intentsOf(harness, listingId)).toEqual([
      expect.stringMatching(/ canceled$/),
      `${bob.payment_intent_id} requires_payment_method`,
    ])
  })
})

describe('a cancellation whose response is lost', () => {
  it('stays pending with the item held until the sweeper reads the intent’s status', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    harness.cards.dropsResponse = isCancel
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(await statesOf(harness, listingId)).toEqual(['releasing'])
    expect(holdsOf(listingId)).toEqual(['held'])
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'reserved' } })
    expect(await buy(harness, service, randomUser('Bob'), listingId)).toMatchObject({ status: 409 })
    harness.cards.dropsResponse = () => false
    await makeDue(harness, listingId)
    // The second sale is Bob's, whose hold was rejected.
    await sweepUntil(harness, listingId, ['released', 'released'])
    expect(holdsOf(listingId)).not.toContain('held')
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })

  it('keeps the payment that preceded it', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    harness.cards.dropsResponse = isCancel
    expect(await cancel(harness, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    harness.cards.dropsResponse = () => false
    await makeDue(harness, listingId)
    await sweepUntil(harness, listingId, ['paid'])
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
    expect(holdsOf(listingId)).toEqual(['sold'])
  })
})

describe('a process that stops between the start of a release and the cancellation', () => {
  it('leaves a sale that the sweeper releases', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    const { resume, isReached } = freeze(isCancel)
    const request = cancel(harness, service, buyer, intent)
    await eventually(isReached)
    expect(await statesOf(harness, listingId)).toEqual(['releasing'])
    harness.cards.before = async () => {}
    await makeDue(harness, listingId)
    await sweepUntil(harness, listingId, ['released'])
    resume()
    expect(await request).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await eventsOf(harness, listingId)).toEqual(['SaleReleased'])
  })
})

describe('an unavailable provider', () => {
  it('returns 503 for a paid sale, and the sweeper completes it', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    const isolated = harness.open({ STRIPE_API_BASE: 'http://127.0.0.1:9' })
    expect(await confirm(harness, isolated, buyer, intent)).toMatchObject({ status: 503 })
    expect(await statesOf(harness, listingId)).toEqual(['payable'])
    await makeDue(harness, listingId)
    await sweepUntil(harness, listingId, ['paid'])
    expect(await ledgerOf(harness, listingId)).toEqual(captureEntries)
  })
})

describe('a payment whose inventory notification is lost', () => {
  it('is confirmed, and the event notifies the inventory service', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await harness.cards.pay(intent)
    harness.catalog.dropsSettleResponse = true
    expect(await confirm(harness, service, buyer, intent)).toMatchObject({ status: 200 })
    expect(await eventsOf(harness, listingId)).toEqual(['PaymentSucceeded'])
  })
})

describe('a hold of this buyer under a sale that has already ended', () => {
  it('is released again, and the next request gets the item', async () => {
    const { listingId } = harness.catalog.addItem()
    const buyer = randomUser()
    const intent = await openCheckout(harness, service, buyer, listingId)
    await cancel(harness, service, buyer, intent)
    // Simulates an inventory service that has received neither the notification nor the event.
    for (const hold of harness.catalog.holds.values()) if (hold.listingId === listingId) hold.state = 'held'
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 503 })
    expect(await buy(harness, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(harness, listingId)).toEqual(['released', 'payable'])
  })
})
