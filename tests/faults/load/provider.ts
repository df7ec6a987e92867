import type { ProviderAccess } from '@marketplace/ops/invariants/provider-record.ts'
import type { TestStack } from '../../support/processes/stack.ts'

/** Returns the access to the stack's card network as a provider. */
export function providerOf({ secrets, services }: TestStack): ProviderAccess {
  return { secretKey: secrets.stripeSecretKey, apiBase: services.cards.url }
}

/** Creates an intent that no sale refers to and that can still be paid. */
export async function createOrphanedIntent(stack: TestStack): Promise<string> {
  const { secretKey, apiBase } = providerOf(stack)
  const response = await fetch(`${apiBase}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({ amount: '1000', currency: 'usd' }),
  })
  const { id }: { id: string } = await response.json()
  return id
}
