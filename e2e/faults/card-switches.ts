import type { Faults } from '@marketplace/dev/cards/faults.ts'
import { freePort } from '@marketplace/dev/ports.ts'
import type { TestStack } from '../src/stack.ts'

export type CardFault = Parameters<Faults['add']>[0]

const port = await freePort()

/** Settings under which the card network listens to its switches. */
export const cardSwitches = { FAULTS_PORT: String(port) }

/** Has the card network do this to a call or a webhook that comes. */
export async function strike({ secrets }: TestStack, fault: CardFault): Promise<void> {
  const headers = { authorization: `Bearer ${secrets.stripeSecretKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}/_test/faults`, {
    method: 'POST',
    headers,
    body: JSON.stringify(fault),
  })
  if (!answer.ok) throw new Error(`The switches answered ${answer.status}: ${await answer.text()}`)
}
