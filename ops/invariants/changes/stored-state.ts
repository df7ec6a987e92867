import type pg from 'pg'
import { z } from 'zod'

const State = z.object({
  /** Position of the last checked row in each table, by the table's name. */
  positions: z.record(z.string(), z.string()),
  /**
   * Ids of the listings that the previous check covered, if it found a violation; otherwise empty. The next check
   * covers these listings again, because a violation is reported only if two consecutive checks find it.
   */
  suspects: z.array(z.string()),
})

export type State = z.output<typeof State>

const none: State = { positions: {}, suspects: [] }

/** Returns the stored state, or an empty state if none is stored or `provision` has not created the schema `ops`. */
export async function readState(client: pg.Client): Promise<State> {
  if (!(await canStore(client))) return none
  await writing(
    client,
    'create table if not exists ops.invariant_state (only_row boolean primary key check (only_row), state json not null)',
  )
  const { rows } = await client.query<{ state: unknown }>('select state from ops.invariant_state')
  return rows[0] ? State.parse(rows[0].state) : none
}

export async function writeState(client: pg.Client, state: State): Promise<void> {
  if (!(await canStore(client))) return
  const upsert =
    'insert into ops.invariant_state values (true, $1) on conflict (only_row) do update set state = excluded.state'
  await writing(client, upsert, [JSON.stringify(state)])
}

async function canStore(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean | null }>(
    `select has_schema_privilege(to_regnamespace('ops')::oid, 'create') as can`,
  )
  return rows[0]?.can === true
}

// Runs a statement in a read-write transaction. The role's transactions are read-only by default.
async function writing(client: pg.Client, sql: string, values: unknown[] = []): Promise<void> {
  await client.query('begin read write')
  try {
    await client.query(sql, values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
