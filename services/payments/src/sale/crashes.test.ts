import type { Service } from '@marketplace/kit/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { someone } from '@marketplace/testing/keys.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buy, cancel, confirm, openCheckout } from '../testing/calls.ts'
import { captured, eventsOf, ledgerOf, statesOf } from '../testing/ledger.ts'
import { lapse, makeDue, sweepUntil } from '../testing/time.ts'
import { startStand, type Stand } from '../testing/stand.ts'

let stand: Stand
let service: Service
const isCreate = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/payment_intents'
const isCancel = ({ path }: { path: string }) => path.endsWith('/cancel')

beforeAll(async () => {
  stand = await startStand()
  service = stand.open()
})
afterEach(() => {
  stand.cards.losesAnswer = () => false
  stand.cards.before = async () => {}
  stand.catalog.losesHold = false
  stand.catalog.losesSettle = false
  stand.catalog.beforeHold = async () => {}
})
afterAll(() => stand.stop())

/** Keeps such requests at the provider's door. */
function freeze(isFrozen: (request: { method: string; path: string }) => boolean) {
  let thaw = () => {}
  let isReached = false
  const thawed = new Promise<void>((resolve) => (thaw = resolve))
  stand.cards.before = async (request) => {
    if (!isFrozen(request)) return
    isReached = true
    await thawed
  }
  return { thaw, isReached: () => isReached }
}

const holdsOf = (listingId: string) =>
  [...stand.catalog.holds.values()].filter((hold) => hold.listingId === listingId).map((hold) => hold.state)

describe('a hold whose answer is lost', () => {
  it('is 503, and the next press goes on with the same sale', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.catalog.losesHold = true
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await statesOf(stand, listingId)).toEqual(['new'])
    expect(holdsOf(listingId)).toEqual(['held'])
    stand.catalog.losesHold = false
    expect(await buy(stand, stand.open(), buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    expect(holdsOf(listingId)).toEqual(['held'])
  })

  it('is given back by the sweeper when the buyer is gone', async () => {
    const { listingId } = stand.catalog.addItem()
    stand.catalog.losesHold = true
    await buy(stand, service, someone(), listingId)
    expect(holdsOf(listingId)).toEqual(['held'])
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    expect(holdsOf(listingId)).toEqual(['released'])
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
  })

  it('leaves an event that frees the item when the notice is lost too', async () => {
    const { listingId } = stand.catalog.addItem()
    stand.catalog.losesHold = true
    stand.catalog.losesSettle = true
    await buy(stand, service, someone(), listingId)
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
  })

  it('that takes too long is 503 within its time, and a grant after the release is not used', async () => {
    const { listingId } = stand.catalog.addItem()
    let letGo = () => {}
    stand.catalog.beforeHold = () => new Promise((resolve) => (letGo = resolve))
    const impatient = stand.open({ HOLD_TIMEOUT_MS: 100 })
    expect(await buy(stand, impatient, someone(), listingId)).toMatchObject({ status: 503 })
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    letGo()
    stand.catalog.beforeHold = async () => {}
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(stand, listingId)).toEqual(['released', 'payable'])
  })
})

describe('an owner that does not answer', () => {
  it('is 503 and leaves nothing but a sale that lapses', async () => {
    const { listingId } = stand.catalog.addItem()
    const alone = stand.open({ CATALOG_INTERNAL_URL: 'http://127.0.0.1:9' })
    expect(await buy(stand, alone, someone(), listingId)).toMatchObject({ status: 503 })
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
  })
})

describe('an intent whose answer is lost', () => {
  it('is 503, and the next press gets the same intent', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    stand.cards.seen.length = 0
    stand.cards.losesAnswer = isCreate
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503 })
    expect(await statesOf(stand, listingId)).toEqual(['held'])
    stand.cards.losesAnswer = () => false
    expect(await buy(stand, stand.open(), buyer, listingId)).toMatchObject({ status: 201 })
    const keys = stand.cards.seen.filter(isCreate).map(({ key }) => key)
    expect(new Set(keys).size).toBe(1)
  })

  it('frees the item when the buyer is gone: nobody has its secret', async () => {
    const { listingId } = stand.catalog.addItem()
    stand.cards.losesAnswer = isCreate
    await buy(stand, service, someone(), listingId)
    expect(await statesOf(stand, listingId)).toEqual(['held'])
    stand.cards.losesAnswer = () => false
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    expect(holdsOf(listingId)).toEqual(['released'])
  })
})

describe('a process that was frozen while it created the intent', () => {
  it('answers no secret of a sale that lapsed meanwhile', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const { thaw, isReached } = freeze(isCreate)
    const press = buy(stand, stand.open(), buyer, listingId)
    await eventually(isReached)
    await lapse(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    stand.cards.before = async () => {}
    const bob = await openCheckout(stand, service, someone('Bob'), listingId)
    thaw()
    expect(await press).toMatchObject({ status: 409, body: { code: 'reserved' } })
    expect(await statesOf(stand, listingId)).toEqual(['released', 'payable', 'released'])
    expect(bob.client_secret).toMatch(/^pi_/)
  })
})

describe('a cancellation whose answer is lost', () => {
  it('is pending with the item held, until the sweeper hears the truth', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    stand.cards.losesAnswer = isCancel
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    expect(await statesOf(stand, listingId)).toEqual(['releasing'])
    expect(holdsOf(listingId)).toEqual(['held'])
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 409, body: { code: 'reserved' } })
    expect(await buy(stand, service, someone('Bob'), listingId)).toMatchObject({ status: 409 })
    stand.cards.losesAnswer = () => false
    await makeDue(stand, listingId)
    // The second is Bob's refused one.
    await sweepUntil(stand, listingId, ['released', 'released'])
    expect(holdsOf(listingId)).not.toContain('held')
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  })

  it('does not lose the payment that came before it', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    stand.cards.losesAnswer = isCancel
    expect(await cancel(stand, service, buyer, intent)).toMatchObject({ status: 200, body: { status: 'pending' } })
    stand.cards.losesAnswer = () => false
    await makeDue(stand, listingId)
    await sweepUntil(stand, listingId, ['paid'])
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
    expect(holdsOf(listingId)).toEqual(['sold'])
  })
})

describe('a process that stops between its decision to release and the cancellation', () => {
  it('leaves a sale that the sweeper ends', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    const { thaw, isReached } = freeze(isCancel)
    const press = cancel(stand, service, buyer, intent)
    await eventually(isReached)
    expect(await statesOf(stand, listingId)).toEqual(['releasing'])
    stand.cards.before = async () => {}
    await makeDue(stand, listingId)
    await sweepUntil(stand, listingId, ['released'])
    thaw()
    expect(await press).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await eventsOf(stand, listingId)).toEqual(['SaleReleased'])
  })
})

describe('a provider that does not answer', () => {
  it('leaves a paid sale payable with 503, and the sweeper completes it', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    const alone = stand.open({ STRIPE_API_BASE: 'http://127.0.0.1:9' })
    expect(await confirm(stand, alone, buyer, intent)).toMatchObject({ status: 503 })
    expect(await statesOf(stand, listingId)).toEqual(['payable'])
    await makeDue(stand, listingId)
    await sweepUntil(stand, listingId, ['paid'])
    expect(await ledgerOf(stand, listingId)).toEqual(captured)
  })
})

describe('a payment whose notice to the owner is lost', () => {
  it('is answered, and the event tells the owner', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await stand.cards.pay(intent)
    stand.catalog.losesSettle = true
    expect(await confirm(stand, service, buyer, intent)).toMatchObject({ status: 200 })
    expect(await eventsOf(stand, listingId)).toEqual(['PaymentSucceeded'])
  })
})

describe('a hold that this buyer has under a sale that is over here', () => {
  it('is released once more, and the next press gets the item', async () => {
    const { listingId } = stand.catalog.addItem()
    const buyer = someone()
    const intent = await openCheckout(stand, service, buyer, listingId)
    await cancel(stand, service, buyer, intent)
    // As if the owner had heard neither the notice nor, so far, the event.
    for (const hold of stand.catalog.holds.values()) if (hold.listingId === listingId) hold.state = 'held'
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 503 })
    expect(await buy(stand, service, buyer, listingId)).toMatchObject({ status: 201 })
    expect(await statesOf(stand, listingId)).toEqual(['released', 'payable'])
  })
})
