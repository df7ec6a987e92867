import type { Faults } from '@marketplace/dev/cards/faults.ts'
import { freePort } from '@marketplace/dev/ports.ts'
import type { TestStack } from '../src/stack.ts'

export type CardFault = Parameters<Faults['add']>[0]

const port = await freePort()

/** Settings under which the card network listens to its switches. */
export const cardSwitches = { FAULTS_PORT: String(port) }

/** Has the card network do this to a call or a webhook that comes. */
export function strike(stack: TestStack, fault: CardFault): Promise<void> {
  return ask(stack, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
}

/** From here on it does its work again. */
export function forgetFaults(stack: TestStack): Promise<void> {
  return ask(stack, { method: 'DELETE' })
}

async function ask({ secrets }: TestStack, request: RequestInit): Promise<void> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${secrets.stripeSecretKey}`)
  const answer = await fetch(`http://127.0.0.1:${port}/_test/faults`, { ...request, headers })
  if (!answer.ok) throw new Error(`The switches answered ${answer.status}: ${await answer.text()}`)
}
