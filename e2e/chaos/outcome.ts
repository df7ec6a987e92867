import type { Finding } from '@marketplace/dev/invariants/invariant.ts'
import pg from 'pg'
import { findingsOf } from '../faults/faults.ts'
import { Load } from '../faults/load.ts'
import type { ChaosStack } from './chaos-stack.ts'
import type { Fault } from './fault.ts'
import { pause } from './random.ts'
import { readTopics, withBus } from './topic-events.ts'

export interface Outcome {
  title: string
  /** Writes that were acknowledged, and held to the databases and the card network. */
  acknowledged: number
  /** Answers of 500 and above, and calls without an answer. */
  failed: number
  /** From the end of the load until everything was equal. */
  equalAfterMs: number
  violations: string[]
}

const equalWithinMs = 60_000

/** Lets people at it, strikes at a moment of its own, and holds what they were told to what there is. */
export async function observe(stack: ChaosStack, fault: Fault): Promise<Outcome> {
  const load = await Load.start(stack)
  try {
    await pause(1000, 4000)
    await fault.strike(stack, load)
    await pause(1500, 3000)
  } finally {
    await load.stop()
  }
  const quietAt = performance.now()
  const withinMs = fault.equalWithinMs ?? equalWithinMs
  const findings = await findingsOf(stack, load.journal, withinMs)
  const equalAfterMs = performance.now() - quietAt
  await load.readUnread()
  // Auctions and checkouts still end by time, perhaps while readers are dealt their parts anew.
  findings.push(...(await findingsOf(stack, load.journal, withinMs)), ...(await unsentIn(stack)))
  const failures = [...load.market.answers].filter(([answer]) => isFailure(answer))
  const unexpected = failures.filter(([answer]) => !fault.mayFail?.test(answer))
  return {
    title: fault.title,
    acknowledged: load.journal.length,
    failed: failures.reduce((sum, [, times]) => sum + times, 0),
    equalAfterMs,
    violations: [
      ...findings.map(({ invariant, finding }) => `${invariant}: ${finding}`),
      ...unexpected.map(([answer, times]) => `${times} × ${answer}`),
    ],
  }
}

// What the load notes is a call and its status, or what was thrown where none came.
function isFailure(answer: string): boolean {
  return !/ [1-4]\d\d(:|$)/.test(answer)
}

/** Events that are marked as sent and that the broker does not have. */
async function unsentIn(stack: ChaosStack): Promise<Finding[]> {
  // First what is marked: checkouts still end by time, and their events are sent meanwhile.
  const marked = await markedIn(stack)
  const known = new Set((await withBus(stack, readTopics)).map(({ id }) => id))
  const unsent = marked.filter((id) => !known.has(id)).slice(0, 5)
  return unsent.map((id) => ({ invariant: 'what was marked as sent is at the broker', finding: id }))
}

async function markedIn({ adminUrl }: ChaosStack): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const marked = ['auction', 'catalog', 'payments', 'users']
      .map((schema) => `select id::text from ${schema}.outbox where published_at is not null`)
      .join(' union all ')
    return (await client.query<{ id: string }>(marked)).rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}

/** The table fault → outcome → violations. */
export function tableOf(outcomes: readonly Outcome[]): string {
  return ['| fault | outcome | violations |', '| --- | --- | --- |', ...outcomes.map(rowOf)].join('\n')
}

export function rowOf({ title, acknowledged, failed, equalAfterMs, violations }: Outcome): string {
  const outcome = `${acknowledged} acknowledged, ${failed} failed, equal after ${(equalAfterMs / 1000).toFixed(1)} s`
  return `| ${title} | ${outcome} | ${violations.length === 0 ? 'none' : violations.join('; ')} |`
}
