import type { Service } from '@marketplace/kit/app/service.ts'
import { transaction } from '@marketplace/kit/db/db.ts'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { postJournal } from '../ledger/ledger.repo.ts'
import { disputeMoved } from '../ledger/ledger.ts'
import type { Harness } from '../testing/harness.ts'
import { startFastService } from '../testing/fast-service.ts'
import { balancesOf, captured, feeEntriesOf, paySale, recheckNow, waitForDispute } from '../testing/paid-sales.ts'

let harness: Harness
let service: Service

startFastService((started) => {
  harness = started.harness
  service = started.service
})

const charged = [
  ['provider', -1500],
  ['expense:provider', 1500],
]
const returned = [
  ['provider', 1500],
  ['expense:provider', -1500],
]

/** Opens a dispute of a new sale and ends it. Applies both states. */
async function disputeSale(outcome: 'won' | 'lost', options?: { returnsFee: boolean }) {
  const sale = await paySale(harness, service)
  const id = harness.cards.dispute(sale.intentId)
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, 'needs_response')
  harness.cards.endDispute(id, outcome, options)
  await recheckNow(harness, sale)
  await waitForDispute(harness, id, outcome)
  return sale
}

describe('the provider’s fee for a dispute', () => {
  it('is an expense of the platform, and posted once for a lost dispute', async () => {
    const sale = await disputeSale('lost')
    expect(await feeEntriesOf(harness, sale)).toEqual(charged)
    expect(await balancesOf(harness, sale)).toEqual({})
  })

  it('stays when the dispute is won', async () => {
    const sale = await disputeSale('won')
    expect(await feeEntriesOf(harness, sale)).toEqual(charged)
    expect(await balancesOf(harness, sale)).toEqual(captured)
  })

  it('is posted again with the opposite sign when the provider returns it', async () => {
    const sale = await disputeSale('won', { returnsFee: true })
    expect(await feeEntriesOf(harness, sale)).toEqual([...charged, ...returned])
  })

  it('is not charged for an inquiry', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId, { isInquiry: true })
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'warning_needs_response')
    expect(await feeEntriesOf(harness, sale)).toEqual([])
  })

  it('is posted for a withdrawal that the previous version posted without its fee', async () => {
    const sale = await paySale(harness, service)
    const id = harness.cards.dispute(sale.intentId)
    const params = { payment_intent: sale.intentId } satisfies Stripe.DisputeListParams
    const { data } = await harness.cards.stripe.disputes.list(params)
    const [withdrawal] = data.flatMap(({ balance_transactions: all }) => all)
    const about = { subject: withdrawal?.id ?? '', providerRef: withdrawal?.id ?? '' }
    await transaction(harness.db, (trx) => postJournal(trx, sale.saleId, disputeMoved(-2549), about))
    await recheckNow(harness, sale)
    await waitForDispute(harness, id, 'needs_response')
    expect(await feeEntriesOf(harness, sale)).toEqual(charged)
    expect(await balancesOf(harness, sale)).toEqual({
      seller: -2349,
      'fee:buyer': -100,
      'fee:seller': -100,
      disputed: 2549,
    })
  })
})
