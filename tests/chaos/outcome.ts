import type { Violation } from '@marketplace/ops/invariants/invariant.ts'
import pg from 'pg'
import { violationsOf } from '../faults/load/faults.ts'
import { Load } from '../faults/load/load.ts'
import type { ChaosStack } from './chaos-stack.ts'
import type { Fault } from './fault.ts'
import { pause } from './random.ts'
import { readTopics, withBus } from './topic-events.ts'

export interface Outcome {
  title: string
  /** Acknowledged writes, which are compared with the databases and the card network. */
  acknowledged: number
  /** Responses of 500 and above, and calls without a response. */
  failed: number
  /** From the end of the load until all records agree. */
  equalAfterMs: number
  violations: string[]
}

const equalWithinMs = 60_000

/** Runs a load, injects the fault at a random moment, and compares the acknowledged writes with the records. */
export async function observe(stack: ChaosStack, fault: Fault): Promise<Outcome> {
  const load = await Load.start(stack)
  try {
    await pause(1000, 4000)
    await fault.inject(stack, load)
    await pause(1500, 3000)
  } finally {
    await load.stop()
  }
  const quietAt = performance.now()
  const withinMs = fault.equalWithinMs ?? equalWithinMs
  const violations = await violationsOf(stack, load.journal, withinMs)
  const equalAfterMs = performance.now() - quietAt
  await load.readUnread()
  // Auctions and checkouts still expire, possibly during a rebalance.
  violations.push(...(await violationsOf(stack, load.journal, withinMs)), ...(await findUnpublished(stack)))
  const failures = [...load.state.responses].filter(([outcome]) => isFailure(outcome))
  const unexpected = failures.filter(([outcome]) => !fault.mayFail?.test(outcome))
  return {
    title: fault.title,
    acknowledged: load.journal.length,
    failed: failures.reduce((sum, [, times]) => sum + times, 0),
    equalAfterMs,
    violations: [
      ...violations.map(({ invariant, message }) => `${invariant}: ${message}`),
      ...unexpected.map(([outcome, times]) => `${times} × ${outcome}`),
    ],
  }
}

// The load counts calls by status, or by the error when there was no response.
function isFailure(outcome: string): boolean {
  return !/ [1-4]\d\d(:|$)/.test(outcome)
}

/** Returns events that are marked as published and missing from the broker. */
async function findUnpublished(stack: ChaosStack): Promise<Violation[]> {
  // The marked events are read first: checkouts still expire, and their events are published meanwhile.
  const marked = await readPublishedIds(stack)
  const known = new Set((await withBus(stack, readTopics)).map(({ id }) => id))
  const unsent = marked.filter((id) => !known.has(id)).slice(0, 5)
  return unsent.map((id) => ({ invariant: 'each outbox row with published_at is at the broker', message: id }))
}

async function readPublishedIds({ adminUrl }: ChaosStack): Promise<string[]> {
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

/** Formats the outcomes as a Markdown table. */
export function tableOf(outcomes: readonly Outcome[]): string {
  return ['| fault | outcome | violations |', '| --- | --- | --- |', ...outcomes.map(rowOf)].join('\n')
}

export function rowOf({ title, acknowledged, failed, equalAfterMs, violations }: Outcome): string {
  const outcome = `${acknowledged} acknowledged, ${failed} failed, equal after ${(equalAfterMs / 1000).toFixed(1)} s`
  return `| ${title} | ${outcome} | ${violations.length === 0 ? 'none' : violations.join('; ')} |`
}
