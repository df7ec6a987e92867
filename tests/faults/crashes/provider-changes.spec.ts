import { eventually } from '@marketplace/testing/eventually.ts'
import { buyNow, listFixedPrice, payByCard, signIn, transactionFor } from '../../support/processes/people.ts'
import type { TestStack } from '../../support/processes/stack.ts'
import { providerChangePoints } from '../injection/fault-points.ts'
import { loseDispute } from '../load/card-faults.ts'
import { expectNoViolations, killAt, test, underLoad } from '../load/faults.ts'
import { refundAtProvider } from '../load/provider.ts'

test.describe.configure({ timeout: 240_000 })

const changes = { refund: refundAtProvider, dispute: loseDispute }

/** Returns a paid sale with its buyer. */
async function sellLamp({ url }: TestStack) {
  const [seller, buyer] = [await signIn(url, 'olga@example.com'), await signIn(url, 'nina@example.com')]
  const { id: listingId } = await listFixedPrice(seller, 'Lamp', 20)
  const intent = await buyNow(buyer, listingId)
  await payByCard(buyer, intent)
  await buyer.post('/api/payments/confirm', { payment_intent_id: intent.payment_intent_id })
  const { id = '' } = (await transactionFor(buyer, listingId)) ?? {}
  return { sale: { id, intentId: intent.payment_intent_id }, listingId, buyer, seller }
}

for (const [title, { change, at }] of Object.entries(providerChangePoints)) {
  test(`kill -9 ${title}`, async ({ stack }) => {
    const load = await underLoad(stack, async () => {
      const { sale, listingId, buyer, seller } = await sellLamp(stack)
      await Promise.all([killAt(stack, 'payments', at(sale)), changes[change](stack, sale.intentId)])
      for (const person of [buyer, seller])
        await eventually(async () => (await transactionFor(person, listingId))?.status === 'cancelled', 90_000)
    })
    await expectNoViolations(stack, load)
  })
}
