import type { Faults } from '@marketplace/card-network/faults/faults.ts'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import type { TestStack } from '../../support/processes/stack.ts'

export type CardFault = Parameters<Faults['add']>[0]

const port = await freePort()

/** Settings that make the card network listen for faults. */
export const cardFaultSettings = { FAULTS_PORT: String(port) }

/** Makes the card network apply this fault to the next matching call or webhook. */
export function injectCardFault(stack: TestStack, fault: CardFault): Promise<void> {
  return callFaultEndpoint(stack, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
}

/** Removes all faults. */
export function clearCardFaults(stack: TestStack): Promise<void> {
  return callFaultEndpoint(stack, { method: 'DELETE' })
}

async function callFaultEndpoint({ secrets }: TestStack, request: RequestInit): Promise<void> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${secrets.stripeSecretKey}`)
  const response = await fetch(`http://127.0.0.1:${port}/_test/faults`, { ...request, headers })
  if (!response.ok) throw new Error(`The fault endpoint responded ${response.status}: ${await response.text()}`)
}
