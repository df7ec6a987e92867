import { sql } from 'kysely'
import type { BusEvent } from './bus.ts'
import { transaction, type Db, type Trx } from '../db/db.ts'
import { handlerFor, type ConsumerDefinition } from './event-handlers.ts'

export interface Replay {
  replayed: number
  /** Events that failed again and stay parked. */
  failed: { id: number; error: unknown }[]
}

/**
 * Replays a consumer's parked events, oldest first, each in its own transaction. If `id` is given, replays only the
 * event in row `id` of the table `parked`.
 */
export async function replayConsumer<Tables>(
  db: Db<Tables>,
  definition: ConsumerDefinition<Tables>,
  id?: number,
): Promise<Replay> {
  const replay: Replay = { replayed: 0, failed: [] }
  for (const parkedId of id === undefined ? await parkedIds(db, definition.name) : [id]) {
    try {
      if (await transaction(db, (trx) => replayOne(trx, definition, parkedId))) replay.replayed += 1
    } catch (error) {
      replay.failed.push({ id: parkedId, error })
    }
  }
  if (replay.replayed > 0) definition.afterCommit?.()
  return replay
}

/**
 * Replays the parked events of all consumers, or of one consumer. Returns the results by consumer. Throws if no
 * consumer has the given name.
 */
export async function replayParked<Tables>(
  db: Db<Tables>,
  definitions: readonly ConsumerDefinition<Tables>[],
  { consumer, id }: { consumer?: string | undefined; id?: number | undefined },
): Promise<Map<string, Replay>> {
  const selected = definitions.filter(({ name }) => consumer === undefined || name === consumer)
  if (consumer !== undefined && selected.length === 0)
    throw new Error(
      `There is no consumer ${consumer}, only ${definitions.map(({ name }) => name).join(', ') || 'none'}.`,
    )
  const replays = new Map<string, Replay>()
  for (const definition of selected) replays.set(definition.name, await replayConsumer(db, definition, id))
  return replays
}

async function parkedIds<Tables>(db: Db<Tables>, consumer: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from parked where consumer = ${consumer} order by id`.execute(db)
  return rows.map((row) => row.id)
}

async function replayOne<Tables>(
  trx: Trx<Tables>,
  definition: ConsumerDefinition<Tables>,
  id: number,
): Promise<boolean> {
  // The row is deleted first, so that a concurrent replay of the same event waits for the row's lock. If the replay
  // fails, the delete is rolled back.
  const { rows } = await sql<{ event: BusEvent }>`
    delete from parked where id = ${id} and consumer = ${definition.name} returning event`.execute(trx)
  const [row] = rows
  if (!row) return false
  const handler = handlerFor(definition, row.event)
  if (!handler) throw new Error(`${definition.name} has no handler for ${row.event.type}.`)
  await handler.apply(trx, [row.event])
  return true
}
