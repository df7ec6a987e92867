import pg from 'pg'
import { checkStatements, type CheckResult, type InvariantSources } from '../check-invariants.ts'
import { readProviderSales, type SaleIntent } from '../provider-record.ts'
import { maxSales, readChanges } from './change-feeds.ts'
import { readState, writeState, type State } from './stored-state.ts'

// Maximum number of listings from a check with violations that the next check covers again.
const maxSuspects = 1000

export interface Look {
  results: CheckResult[]
  /** Whether changes are left for the next check. */
  isBehind: boolean
}

export interface ChangeChecker {
  /** Checks a limited number of the listings and sales that changed since the previous check. */
  look(): Promise<Look>
}

/**
 * Creates a checker for the listings and sales that changed since the previous check. Stores its progress in the
 * database, or in memory if the database role cannot create tables in the schema `ops`.
 */
export function createChangeChecker(sources: InvariantSources): ChangeChecker {
  let state: State | undefined
  return {
    async look() {
      const client = new pg.Client({ connectionString: sources.databaseUrl, statement_timeout: 60_000 })
      await client.connect()
      try {
        state ??= await readState(client)
        const look = await checkNext(client, sources, state)
        await writeState(client, look.state)
        state = look.state
        return look
      } finally {
        await client.end()
      }
    },
  }
}

async function checkNext(
  client: pg.Client,
  { provider, maxExposureCents }: InvariantSources,
  { positions, suspects }: State,
): Promise<Look & { state: State }> {
  const changes = await readChanges(client, positions)
  const listingIds = [...new Set([...changes.listingIds, ...suspects])]
  const sales = provider ? await findPaidSales(client, changes.saleIds, suspects) : []
  const record = provider && (await readProviderSales(provider, sales))
  await setScope(client, { listingIds, saleIds: sales.map(({ saleId }) => saleId) })
  const records = { record, journal: undefined, maxExposureCents }
  const results = await checkStatements(client, records, 'changed')
  const hasViolations = results.some(({ violations }) => violations.length > 0)
  return {
    results,
    isBehind: changes.isBehind,
    state: { positions: changes.positions, suspects: hasViolations ? listingIds.slice(0, maxSuspects) : [] },
  }
}

async function findPaidSales(
  client: pg.Client,
  saleIds: readonly string[],
  suspects: readonly string[],
): Promise<SaleIntent[]> {
  const { rows } = await client.query<SaleIntent>(
    `(select id::text as "saleId", intent_id as "intentId" from payments.transactions
      where id = any($1::uuid[]) and intent_id is not null)
    union
    (select id::text, intent_id from payments.transactions
      where listing_id = any($2::uuid[]) and intent_id is not null limit ${maxSales})`,
    [saleIds, suspects],
  )
  return rows
}

async function setScope(
  client: pg.Client,
  { listingIds, saleIds }: { listingIds: readonly string[]; saleIds: readonly string[] },
): Promise<void> {
  const names = [`{${listingIds.join(',')}}`, `{${saleIds.join(',')}}`]
  await client.query(`select set_config('ops.listings', $1, false), set_config('ops.sales', $2, false)`, names)
}
