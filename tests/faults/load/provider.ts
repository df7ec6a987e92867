import type { ProviderAccess } from '@marketplace/ops/invariants/provider-record.ts'
import type { TestStack } from '../../support/processes/stack.ts'

/** Returns the access to the stack's card network as a provider. */
export function providerOf({ secrets, services }: TestStack): ProviderAccess {
  return { secretKey: secrets.stripeSecretKey, apiBase: services.cards.url }
}

/** Refunds the whole charge of an intent, as the provider's dashboard does. */
export async function refundAtProvider(stack: TestStack, intentId: string): Promise<void> {
  await post(stack, '/v1/refunds', { payment_intent: intentId })
}

/** Creates an intent that no sale refers to and that can still be paid. */
export async function createOrphanedIntent(stack: TestStack): Promise<string> {
  const response = await post(stack, '/v1/payment_intents', { amount: '1000', currency: 'usd' })
  const { id }: { id: string } = await response.json()
  return id
}

async function post(stack: TestStack, path: string, form: Record<string, string>): Promise<Response> {
  const { secretKey, apiBase } = providerOf(stack)
  const headers = { authorization: `Bearer ${secretKey}` }
  const response = await fetch(`${apiBase}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
  if (!response.ok) throw new Error(`The card network responded ${response.status}: ${await response.text()}`)
  return response
}
