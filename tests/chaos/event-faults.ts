import { topics } from '@marketplace/contracts/topics.ts'
import { toEvent, type UnpublishedRow } from '@marketplace/kit/events/outbox-rows.ts'
import pg from 'pg'
import { stopRelay } from '../support/processes/relay.ts'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause, pick, shuffled } from './random.ts'
import { readTopics, withBus } from './topic-events.ts'

const groups: readonly (readonly [group: string, topics: readonly string[]])[] = [
  ['catalog.auction-news', [topics.auction]],
  ['catalog.settled-sales', [topics.payments]],
  ['auction.settled-sales', [topics.payments]],
  ['payments.due-sales', [topics.auction, topics.catalog]],
  ['payments.ending-sales', [topics.auction, topics.catalog]],
  ['search.listing-index', [topics.catalog, topics.auction]],
]

/** Every 3 s one more consumer joins each group, gets partitions, rejects their events and leaves. */
async function rebalance(stack: ChaosStack): Promise<void> {
  const reject = () => Promise.reject(new Error('This consumer rejects every event.'))
  for (let rounds = longOrShort(8, 4); rounds > 0; rounds -= 1) {
    await withBus(stack, async (bus) => {
      await Promise.all(groups.map(([group, topics]) => bus.consume({ group, topics, handler: reject })))
      await pause(1500)
    })
    await pause(1500)
  }
}

async function replayTopics(stack: ChaosStack): Promise<void> {
  await withBus(stack, async (bus) => {
    const events = await readTopics(bus)
    for (let from = 0; from < events.length; from += 500) await bus.publish(events.slice(from, from + 500))
  })
}

const relayed = ['auction', 'catalog', 'payments'] as const

/** Replaces a schema's relay: publishes the accumulated events in random order, some of them replicas. */
async function relayShuffled(stack: ChaosStack, schema: (typeof relayed)[number]): Promise<void> {
  const goOn = await stopRelay(stack.adminUrl, schema)
  const client = new pg.Client({ connectionString: stack.adminUrl })
  await client.connect()
  try {
    await pause(3000, 6000)
    const { rows } = await client.query<UnpublishedRow>(`select * from ${schema}.outbox where published_at is null`)
    const events = rows.map(toEvent)
    await withBus(stack, (bus) => bus.publish(shuffled([...events, ...events.filter((_, nth) => nth % 3 === 0)])))
    await client.query(`update ${schema}.outbox set published_at = clock_timestamp() where seq = any($1)`, [
      rows.map(({ seq }) => seq),
    ])
  } finally {
    await client.end()
    await goOn()
  }
}

// The card network breaks off some of the load's own calls.
const payments = /payments|buy-now/

export const eventFaults: readonly Fault[] = [
  { title: 'consumer groups rebalance every 3 s', inject: rebalance, mayFail: payments },
  { title: 'whole topics are published again', inject: replayTopics, mayFail: payments, times: 2 },
  {
    title: 'events are published in random order, and twice',
    inject: (stack) => relayShuffled(stack, pick(relayed)),
    mayFail: payments,
    times: 6,
    isShort: true,
  },
]
