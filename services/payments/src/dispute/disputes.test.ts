import type { Service } from '@marketplace/kit/app/service.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { postWebhook } from '../testing/fake-card-network.ts'
import { startFastService } from '../testing/fast-service.ts'
import { addressOf, type Harness } from '../testing/harness.ts'
import { statesOf } from '../testing/ledger.ts'
import {
  balancesOf,
  captured,
  paySale,
  recheckNow,
  refundAtProvider,
  transactionOf,
  waitForDispute,
  type PaidSale,
} from '../testing/paid-sales.ts'
import { waitForStates } from '../testing/sweeps.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const pay = () => paySale(harness, service)
const refund = (paid: PaidSale, amount: number) => refundAtProvider(harness, paid, amount)
const recheck = (paid: PaidSale) => recheckNow(harness, paid)
const seenBy = (user: TestUser) => transactionOf(harness, service, user)
const balances = (paid: PaidSale) => balancesOf(harness, paid)
const withdrawn = { ...captured, provider: 0, disputed: 2549 }

async function storedDispute(id: string) {
  const found = harness.db.selectFrom('disputes').selectAll().where('id', '=', id)
  return found.executeTakeFirst()
}

const waitForState = (id: string, state: string) => waitForDispute(harness, id, state)

async function expectSeen(paid: PaidSale, expected: Record<string, unknown>): Promise<void> {
  for (const user of [paid.buyer, paid.seller]) expect(await seenBy(user)).toMatchObject(expected)
}

const withoutZeros = (all: Record<string, number>) =>
  Object.fromEntries(Object.entries(all).filter(([, sum]) => sum !== 0))

describe.each(['recheck', 'webhook'] as const)('a dispute, found by a %s', (source) => {
  beforeAll(() => {
    if (source === 'webhook') harness.cards.sendWebhooks(`${addressOf(service)}/api/stripe/webhook`)
  })
  const find = async (paid: PaidSale) => (source === 'recheck' ? recheck(paid) : undefined)

  async function open(paid: PaidSale, options: Parameters<typeof harness.cards.dispute>[1] = {}): Promise<string> {
    const id = harness.cards.dispute(paid.intentId, options)
    await find(paid)
    await waitForState(id, options.isInquiry ? 'warning_needs_response' : 'needs_response')
    return id
  }
  async function end(paid: PaidSale, id: string, outcome: 'won' | 'lost', state: string = outcome): Promise<void> {
    harness.cards.endDispute(id, outcome)
    await find(paid)
    await waitForState(id, state)
  }

  it('leaves the sale completed while it is open: both sides see it, and the money is withdrawn', async () => {
    const paid = await pay()
    const id = await open(paid)
    await expectSeen(paid, { status: 'completed', is_disputed: true, refunded_amount: 0 })
    expect(await balances(paid)).toEqual(withoutZeros(withdrawn))
    const stored = await storedDispute(id)
    expect(stored).toMatchObject({ sale_id: paid.saleId, amount_cents: 2549, reason: 'fraudulent', closed_at: null })
    expect([stored?.due_by, stored?.next_at]).toEqual([expect.any(Date), expect.any(Date)])
  })

  it('that is lost with the whole amount cancels the sale for both sides, and the seller is owed nothing', async () => {
    const paid = await pay()
    await end(paid, await open(paid), 'lost')
    await waitForStates(harness, paid.listingId, ['refunded'])
    await expectSeen(paid, { status: 'cancelled', is_disputed: false, refunded_amount: 2549 })
    expect(await balances(paid)).toEqual({})
  })

  it('that is won brings the money back', async () => {
    const paid = await pay()
    const id = await open(paid)
    await end(paid, id, 'won')
    await eventually(async () => (await storedDispute(id))?.closed_at !== null)
    await expectSeen(paid, { status: 'completed', is_disputed: false, refunded_amount: 0 })
    expect(await balances(paid)).toEqual(captured)
  })

  it('that is an inquiry moves no money', async () => {
    const paid = await pay()
    const id = await open(paid, { isInquiry: true })
    await expectSeen(paid, { status: 'completed', is_disputed: true })
    expect(await balances(paid)).toEqual(captured)
    await end(paid, id, 'lost', 'warning_closed')
    await expectSeen(paid, { status: 'completed', is_disputed: false })
    expect(await balances(paid)).toEqual(captured)
  })

  it('of the rest after a partial refund cancels the sale, and both together return the whole fee', async () => {
    const paid = await pay()
    await refund(paid, 1000)
    await find(paid)
    await eventually(async () => (await seenBy(paid.buyer))?.['refunded_amount'] === 1000)
    await end(paid, await open(paid, { amount: 1549 }), 'lost')
    await waitForStates(harness, paid.listingId, ['refunded'])
    await expectSeen(paid, { status: 'cancelled', refunded_amount: 2549 })
    expect(await balances(paid)).toEqual({})
  })

  it('of a part leaves the sale completed when it is lost', async () => {
    const paid = await pay()
    await end(paid, await open(paid, { amount: 1000 }), 'lost')
    expect(await statesOf(harness, paid.listingId)).toEqual(['paid'])
    await expectSeen(paid, { status: 'completed', is_disputed: false, refunded_amount: 1000 })
    expect(await balances(paid)).toEqual({ provider: 1549, seller: -1427, 'fee:buyer': -61, 'fee:seller': -61 })
  })
})

describe('disputes', () => {
  it('of the whole amount after a partial refund charge the excess to the platform', async () => {
    const paid = await pay()
    await refund(paid, 1000)
    const id = harness.cards.dispute(paid.intentId)
    harness.cards.endDispute(id, 'lost')
    await recheck(paid)
    await waitForStates(harness, paid.listingId, ['refunded'])
    await expectSeen(paid, { status: 'cancelled', refunded_amount: 2549 })
    expect(await balances(paid)).toEqual({ provider: -1000, 'expense:loss': 1000 })
  })

  it('are read again while they are open', async () => {
    const paid = await pay()
    const id = harness.cards.dispute(paid.intentId)
    await recheck(paid)
    await waitForState(id, 'needs_response')
    harness.cards.endDispute(id, 'won')
    await sql`update disputes set next_at = clock_timestamp() where id = ${id}`.execute(harness.db)
    await sql`update transactions set recheck_at = null where id = ${paid.saleId}`.execute(harness.db)
    await waitForState(id, 'won')
    expect(await balances(paid)).toEqual(captured)
  })

  it('are posted once, however often and in whatever order they are reported', async () => {
    const paid = await pay()
    const id = harness.cards.dispute(paid.intentId)
    harness.cards.endDispute(id, 'lost')
    const types = ['closed', 'funds_withdrawn', 'updated', 'created', 'closed', 'funds_reinstated']
    const posts = types.map((type, nth) => {
      const event = { id: `evt_${id}_${nth}`, type: `charge.dispute.${type}`, intentId: paid.intentId }
      return postWebhook(harness.cards, service, event)
    })
    await Promise.all([...posts, recheck(paid)])
    await waitForStates(harness, paid.listingId, ['refunded'])
    await recheck(paid)
    await eventually(
      async () =>
        (await harness.db.selectFrom('webhook_events').selectAll().where('processed_at', 'is', null).execute())
          .length === 0,
    )
    expect(await balances(paid)).toEqual({})
    const journals = await harness.db.selectFrom('journals').select('kind').where('sale_id', '=', paid.saleId).execute()
    expect(journals.map(({ kind }) => kind).toSorted()).toEqual([
      'capture',
      'dispute_fee',
      'dispute_lost',
      'dispute_opened',
    ])
  })
})
