import {
  RawNode,
  sql,
  type Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type Transaction,
} from 'kysely'

/**
 * Runs `work` with a transaction that explains each raw SQL statement instead of executing it, without sequential scans
 * where an index can be used. Returns the lines of all plans.
 */
export async function plansOf<Tables>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = []
  const explain: KyselyPlugin = {
    transformQuery: ({ node }: PluginTransformQueryArgs) => RawNode.create(['explain ', ''], [node]),
    transformResult: async ({ result }: PluginTransformResultArgs) => {
      plans.push(...result.rows.map((row) => String(row['QUERY PLAN'])))
      return { ...result, rows: [] }
    },
  }
  await db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    await work(trx.withPlugin(explain))
  })
  if (plans.length === 0) throw new Error('No statement was explained.')
  return plans
}

/** Returns the lines of the plans of `work` that contain a sequential scan. See `plansOf`. */
export async function sequentialScans<Tables>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<unknown>,
): Promise<string[]> {
  return (await plansOf(db, work)).filter((line) => line.includes('Seq Scan'))
}
