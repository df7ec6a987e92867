import type { ProviderAccess } from '@marketplace/dev/invariants/provider-record.ts'
import type { TestStack } from '../src/stack.ts'

/** The stack's card network, to be asked like the provider that it stands for. */
export function providerOf({ secrets, services }: TestStack): ProviderAccess {
  return { secretKey: secrets.stripeSecretKey, apiBase: services.cards.url }
}

/** An intent that no sale knows, and that somebody could still pay. */
export async function openIntentOfNobody(stack: TestStack): Promise<string> {
  const { secretKey, apiBase } = providerOf(stack)
  const answer = await fetch(`${apiBase}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams({ amount: '1000', currency: 'usd' }),
  })
  const { id }: { id: string } = await answer.json()
  return id
}
