import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, BusEvent } from './bus.ts'
import { transaction, type Db } from '../db/db.ts'
import {
  callsOf,
  handlerFor,
  skipSuperseded,
  supersededOf,
  UnreadableEvent,
  type ConsumerDefinition,
} from './event-handlers.ts'
import { insertParked, claimEvents } from './inbox.ts'
import type { Log } from '../telemetry/log.ts'
import { counter, histogram } from '../telemetry/metrics.ts'
import { isTransient } from '../errors/transient-error.ts'
import { superviseSubscription, type SupervisedSubscription } from './supervised-subscription.ts'

export { consumer, on, onAll, onLatest, type ConsumerDefinition, type Handler } from './event-handlers.ts'

export interface ConsumerOptions<Tables> {
  db: Db<Tables>
  bus: Bus
  /** Consumer group on the bus: `<service>.<consumer>`. */
  group: string
  definition: ConsumerDefinition<Tables>
  log: Log
  /**
   * Returns false if the database does not respond. The consumer then releases its partitions to other members of the
   * group.
   */
  isDatabaseReachable?: () => Promise<boolean>
}

interface ConsumerContext<Tables> extends ConsumerOptions<Tables> {
  closing: AbortSignal
}

const retryMs = 50
const maxAttempts = 5

const applied = counter('events_applied_total', 'Events applied by consumers.', ['consumer'])
const delays = histogram('event_delay_seconds', 'Time from an event to the commit that applied it.', ['consumer'])
const parked = counter('events_parked_total', 'Events that a consumer parked; each needs investigation.', [
  'consumer',
  'type',
])

/** Starts a consumer that applies each event exactly once, even if the event is redelivered or the process crashes. */
export async function startConsumer<Tables>(options: ConsumerOptions<Tables>): Promise<SupervisedSubscription> {
  const { bus, group, definition, log } = options
  const closing = new AbortController()
  const context = { ...options, closing: closing.signal }
  const handler = (batch: readonly BusEvent[]) => handleBatch(context, batch)
  const subscription = await superviseSubscription({
    bus,
    group,
    topics: definition.topics,
    handler,
    log,
    isDatabaseReachable: options.isDatabaseReachable ?? (async () => true),
  })
  return {
    pausedMs: () => subscription.pausedMs(),
    async close() {
      closing.abort()
      await subscription.close()
    },
  }
}

async function handleBatch<Tables>(context: ConsumerContext<Tables>, batch: readonly BusEvent[]): Promise<void> {
  const events = batch.filter((event) => handlerFor(context.definition, event))
  try {
    await applyEvents(context, events)
  } catch (error) {
    if (events.length > 1)
      context.log.warn({ err: error, group: context.group }, 'batch failed; retrying one event at a time')
    for (const event of events) await handleEvent(context, event)
  }
}

async function applyEvents<Tables>(
  { db, definition, log }: ConsumerContext<Tables>,
  events: readonly BusEvent[],
): Promise<void> {
  if (events.length === 0) return
  const count = await transaction(db, async (trx) => {
    const fresh = await claimEvents(trx, definition.name, events)
    const count = fresh.size
    const superseded = supersededOf(definition, fresh, events)
    // If a batch contains an event twice, `fresh.delete` returns false for the second copy, which is skipped.
    const due = events.filter((event) => fresh.delete(event.id) && !superseded.has(event.id))
    for (const call of callsOf(definition, due)) await call.handler.apply(trx, call.events)
    for (const event of superseded.values()) await skipSuperseded(event)
    return count
  })
  applied.inc({ consumer: definition.name }, count)
  // Records the delay of the batch's first event, which is the oldest.
  const [oldest] = events
  if (oldest && count > 0) delays.observe({ consumer: definition.name }, ageOf(oldest))
  if (count > 0) notifyListeners(definition, log)
}

// Applies an event, or inserts it into the table `parked` if it cannot be applied. Rethrows a transient error, so that
// the bus redelivers the batch and no later event is applied first.
async function handleEvent<Tables>(context: ConsumerContext<Tables>, event: BusEvent): Promise<void> {
  const { closing, log, group } = context
  for (let attempt = 1; ; attempt += 1) {
    const failure = await errorOf(applyEvents(context, [event]))
    if (failure === undefined) return
    if (isTransient(failure)) throw failure
    log.warn({ err: failure, group, event: event.id, type: event.type }, 'event failed')
    if (failure instanceof UnreadableEvent || attempt === maxAttempts) return parkEvent(context, event, failure)
    await sleep(retryMs * 2 ** attempt, undefined, { signal: closing })
  }
}

async function errorOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function parkEvent<Tables>(context: ConsumerContext<Tables>, event: BusEvent, reason: Error): Promise<void> {
  const { db, definition, log } = context
  await transaction(db, (trx) => insertParked(trx, definition.name, event, describe(reason)))
  parked.inc({ consumer: definition.name, type: event.type })
  log.error({ err: reason, consumer: definition.name, event: event.id, type: event.type }, 'event parked')
}

// Returns the error's stack and cause without NUL, which Postgres does not store.
function describe(reason: Error): string {
  const text = reason.stack ?? reason.message
  const description = reason.cause instanceof Error ? `${text}\nCause: ${reason.cause.message}` : text
  return description.replaceAll('\u0000', '')
}

// Returns the age of an event in seconds, or 0 if clock differences make the age negative.
function ageOf({ occurredAt }: BusEvent): number {
  return Math.max(0, Date.now() - Date.parse(occurredAt)) / 1000
}

function notifyListeners<Tables>({ name, afterCommit }: ConsumerDefinition<Tables>, log: Log): void {
  try {
    afterCommit?.()
  } catch (error) {
    log.error({ err: error, consumer: name }, 'commit listener failed')
  }
}
