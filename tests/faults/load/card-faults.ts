import type { Faults } from '@marketplace/card-network/faults/faults.ts'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import type { TestStack } from '../../support/processes/stack.ts'

export type CardFault = Parameters<Faults['add']>[0]

const port = await freePort()

/** Settings that make the card network listen for faults. */
export const cardFaultSettings = { FAULTS_PORT: String(port) }

/** Makes the card network apply this fault to the next matching call or webhook. */
export async function injectCardFault(stack: TestStack, fault: CardFault): Promise<void> {
  await callFaultEndpoint(stack, 'faults', post(fault))
}

/** Removes all faults. */
export async function clearCardFaults(stack: TestStack): Promise<void> {
  await callFaultEndpoint(stack, 'faults', { method: 'DELETE' })
}

/** Opens a dispute of the whole charge and lets the buyer's bank decide it for the buyer. */
export async function loseDispute(stack: TestStack, intentId: string): Promise<void> {
  const opened = await callFaultEndpoint(stack, 'disputes', post({ intent: intentId }))
  const { id }: { id: string } = await opened.json()
  await callFaultEndpoint(stack, `disputes/${id}/close`, post({ outcome: 'lost' }))
}

function post(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

async function callFaultEndpoint({ secrets }: TestStack, path: string, request: RequestInit): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${secrets.stripeSecretKey}`)
  const response = await fetch(`http://127.0.0.1:${port}/_test/${path}`, { ...request, headers })
  if (!response.ok) throw new Error(`The fault endpoint responded ${response.status}: ${await response.text()}`)
  return response
}
