import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, BusEvent, Subscription } from './bus.ts'
import { transaction, type Db } from './db.ts'
import {
  handlerFor,
  passOver,
  supersededOf,
  Unreadable,
  type ApplyEvent,
  type ConsumerDefinition,
  type Handler,
} from './event-handlers.ts'
import { forgetOld, park, receive } from './inbox.ts'
import type { Log } from './log.ts'
import { counter, histogram } from './metrics.ts'
import { isPassing } from './passing-error.ts'
import { busKeepMs } from './retention.ts'
import { startSweeper } from './sweeper.ts'

export { consumer, on, onNewest, type ConsumerDefinition, type Handler } from './event-handlers.ts'

export interface ConsumerOptions<Tables> {
  db: Db<Tables>
  bus: Bus
  /** The bus group: the service's name and the consumer's, joined by a dot. */
  group: string
  definition: ConsumerDefinition<Tables>
  log: Log
  /** How long ids of applied events are remembered: longer than the bus keeps events. */
  inboxKeepMs?: number
}

interface Consuming<Tables> extends ConsumerOptions<Tables> {
  closing: AbortSignal
}

const retryMs = 50
const triesOfABug = 5
const cleanUpMs = 3_600_000

const applied = counter('events_applied_total', 'Events applied by consumers.', ['consumer'])
const delays = histogram('event_delay_seconds', 'Time from an event to the commit that applied it.', ['consumer'])
const parked = counter('events_parked_total', 'Events that a consumer could not take; each wants a look.', [
  'consumer',
  'type',
])

/** Reads the consumer's topics and applies each event once, whatever is sent twice or killed in between. */
export async function startConsumer<Tables>(options: ConsumerOptions<Tables>): Promise<Subscription> {
  const { db, bus, group, definition, log, inboxKeepMs = 2 * busKeepMs } = options
  const closing = new AbortController()
  const consuming = { ...options, closing: closing.signal }
  const handler = (batch: readonly BusEvent[]) => takeBatch(consuming, batch)
  const subscription = await bus.consume({ group, topics: definition.topics, handler })
  const cleaner = startSweeper({
    name: 'old inbox rows',
    everyMs: cleanUpMs,
    log,
    sweep: () => forgetOld(db, definition.name, inboxKeepMs),
  })
  return {
    async close() {
      closing.abort()
      await Promise.all([subscription.close(), cleaner.stop()])
    },
  }
}

async function takeBatch<Tables>(consuming: Consuming<Tables>, batch: readonly BusEvent[]): Promise<void> {
  const events = batch.filter((event) => handlerFor(consuming.definition, event))
  try {
    await applyAll(consuming, events)
  } catch (error) {
    if (events.length > 1)
      consuming.log.warn({ err: error, group: consuming.group }, 'a batch failed, going on event by event')
    for (const event of events) await takeOne(consuming, event)
  }
}

async function applyAll<Tables>(
  { db, definition, log }: Consuming<Tables>,
  events: readonly BusEvent[],
): Promise<void> {
  if (events.length === 0) return
  const work = events.map((event) => ({ event, apply: read(definition, event) }))
  const count = await transaction(db, async (trx) => {
    const fresh = await receive(trx, definition.name, events)
    const count = fresh.size
    const superseded = supersededOf(definition, fresh, events)
    const newest = new Map<Handler<Tables>, BusEvent[]>()
    for (const { event, apply } of work) {
      // A batch may hold the same event twice: the first takes the id.
      if (!fresh.delete(event.id) || superseded.has(event.id)) continue
      const handler = handlerFor(definition, event)
      if (handler?.applyNewest) newest.set(handler, [...(newest.get(handler) ?? []), event])
      else await apply(trx)
    }
    for (const [handler, events] of newest) await handler.applyNewest?.(trx, events)
    for (const event of superseded.values()) await passOver(event)
    return count
  })
  applied.inc({ consumer: definition.name }, count)
  // One look per batch: its oldest event has waited longest.
  const [oldest] = events
  if (oldest && count > 0) delays.observe({ consumer: definition.name }, ageOf(oldest))
  if (count > 0) tellListeners(definition, log)
}

// What may pass later is thrown: the bus then holds the part and brings the same events again, since what follows could
// build on them. What has been applied by then is known by its id.
async function takeOne<Tables>(consuming: Consuming<Tables>, event: BusEvent): Promise<void> {
  const { closing, log, group } = consuming
  for (let bugs = 1; ; bugs += 1) {
    const failure = await failureOf(applyAll(consuming, [event]))
    if (failure === undefined) return
    if (isPassing(failure)) throw failure
    log.warn({ err: failure, group, event: event.id, type: event.type }, 'an event failed')
    if (failure instanceof Unreadable || bugs === triesOfABug) return parkOne(consuming, event, failure)
    await sleep(retryMs * 2 ** bugs, undefined, { signal: closing })
  }
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function parkOne<Tables>(consuming: Consuming<Tables>, event: BusEvent, reason: Error): Promise<void> {
  const { db, definition, log } = consuming
  await transaction(db, (trx) => park(trx, definition.name, event, describe(reason)))
  parked.inc({ consumer: definition.name, type: event.type })
  log.error({ err: reason, consumer: definition.name, event: event.id, type: event.type }, 'an event was parked')
}

function describe(reason: Error): string {
  const told = reason.stack ?? reason.message
  return reason.cause instanceof Error ? `${told}\nCause: ${reason.cause.message}` : told
}

function read<Tables>(definition: ConsumerDefinition<Tables>, event: BusEvent): ApplyEvent<Tables> {
  const handler = handlerFor(definition, event)
  return handler ? handler.read(event) : async () => undefined
}

// Two machines' clocks may differ by a little.
function ageOf({ occurredAt }: BusEvent): number {
  return Math.max(0, Date.now() - Date.parse(occurredAt)) / 1000
}

function tellListeners<Tables>({ name, afterCommit }: ConsumerDefinition<Tables>, log: Log): void {
  try {
    afterCommit?.()
  } catch (error) {
    log.error({ err: error, consumer: name }, 'a listener failed after the commit')
  }
}
