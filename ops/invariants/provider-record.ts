import { Stripe } from 'stripe'

/** Access to the card provider: Stripe, or another server with Stripe's API at `apiBase`. */
export interface ProviderAccess {
  secretKey: string
  apiBase?: string | undefined
}

/** The card provider's data for one payment intent. Amounts are in cents. */
export interface ProviderIntent {
  id: string
  saleId: string | null
  status: string
  received: number
  refunded: number
  /** The amount that the provider withdrew for disputes, minus the amount that it gave back after won disputes. */
  withdrawn: number
  /** The provider's fees for disputes. */
  fees: number
}

/**
 * Reads all payment intents and charges of the provider, with their refunds and disputes. Includes intents to which no
 * sale refers.
 */
export async function readProvider(access: ProviderAccess): Promise<ProviderIntent[]> {
  const { paymentIntents, charges, refunds, disputes } = openStripe(access)
  const pageOfCharges = { limit: 100 } satisfies Stripe.ChargeListParams
  const pageOfRefunds = { limit: 100 } satisfies Stripe.RefundListParams
  const pageOfDisputes = { limit: 100 } satisfies Stripe.DisputeListParams
  const pageOfIntents = { limit: 100 } satisfies Stripe.PaymentIntentListParams
  const received = new Map<string, number>()
  for await (const { status, payment_intent: intent, id, amount_captured: amount } of charges.list(pageOfCharges))
    if (status === 'succeeded') add(received, idOf(intent) ?? id, amount)
  const refunded = new Map<string, number>()
  for await (const { status, payment_intent: intent, charge, id, amount } of refunds.list(pageOfRefunds))
    if (status === 'succeeded') add(refunded, idOf(intent) ?? idOf(charge) ?? id, amount)

  const [withdrawn, fees] = [new Map<string, number>(), new Map<string, number>()]
  for await (const { payment_intent: intent, charge, balance_transactions: moved } of disputes.list(pageOfDisputes)) {
    const id = idOf(intent) ?? idOf(charge) ?? ''
    for (const { amount, fee } of moved) {
      add(withdrawn, id, 0 - amount)
      add(fees, id, fee)
    }
  }

  const record = new Map<string, ProviderIntent>()
  for await (const { id, status, metadata } of paymentIntents.list(pageOfIntents))
    record.set(id, { id, saleId: metadata['sale'] ?? null, status, received: 0, refunded: 0, withdrawn: 0, fees: 0 })
  for (const id of new Set([...received.keys(), ...refunded.keys(), ...withdrawn.keys()])) {
    // Charges without a payment intent, and their refunds and disputes, are recorded under the charge's id.
    const known = record.get(id) ?? { id, saleId: null, status: 'none' }
    const [sumOfReceived, sumOfRefunded] = [received.get(id) ?? 0, refunded.get(id) ?? 0]
    const disputed = { withdrawn: withdrawn.get(id) ?? 0, fees: fees.get(id) ?? 0 }
    record.set(id, { ...known, received: sumOfReceived, refunded: sumOfRefunded, ...disputed })
  }
  return [...record.values()]
}

/** A sale and its intent at the provider. */
export interface SaleIntent {
  saleId: string
  intentId: string
}

// Number of sales that are read concurrently, each with three provider calls. The number is low, because all processes
// share the provider's limit of 100 calls per second.
const concurrency = 4

/**
 * Reads the provider's data for these sales, with three requests per sale. All amounts are 0 if the payment intent does
 * not exist.
 */
export async function readProviderSales(
  access: ProviderAccess,
  sales: readonly SaleIntent[],
): Promise<ProviderIntent[]> {
  const stripe = openStripe(access)
  const record: ProviderIntent[] = []
  const waiting = [...sales]
  const readNext = async () => {
    for (let sale = waiting.shift(); sale; sale = waiting.shift()) record.push(await readSale(stripe, sale))
  }
  await Promise.all(Array.from({ length: concurrency }, readNext))
  return record
}

async function readSale(stripe: Stripe, { saleId, intentId: payment_intent }: SaleIntent): Promise<ProviderIntent> {
  const [intent, refunds, disputes] = await Promise.all([
    stripe.paymentIntents.retrieve(payment_intent).catch(ignoreMissing),
    stripe.refunds.list({ payment_intent, limit: 100 } satisfies Stripe.RefundListParams),
    stripe.disputes.list({ payment_intent, limit: 100 } satisfies Stripe.DisputeListParams),
  ])
  const refunded = refunds.data.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
  const moved = disputes.data.flatMap(({ balance_transactions: all }) => all)
  return {
    id: payment_intent,
    saleId,
    status: intent?.status ?? 'none',
    received: intent?.amount_received ?? 0,
    refunded: sumOf(refunded),
    withdrawn: sumOf(moved.map(({ amount }) => 0 - amount)),
    fees: sumOf(moved.map(({ fee }) => fee)),
  }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined
  throw error
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

function openStripe({ secretKey, apiBase }: ProviderAccess): Stripe {
  if (apiBase === undefined) return new Stripe(secretKey, { telemetry: false })
  const { protocol, hostname: host, port } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return new Stripe(secretKey, {
    host,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    telemetry: false,
  })
}

function add(sums: Map<string, number>, id: string, amount: number): void {
  sums.set(id, (sums.get(id) ?? 0) + amount)
}

function idOf(named: string | { id: string } | null | undefined): string | undefined {
  return typeof named === 'string' ? named : named?.id
}
