import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { auctionInvariants } from './auction-invariants.ts'
import { bidderInvariants, defaultMaxExposureCents } from './bidder-invariants.ts'
import { blockInvariants } from './block-invariants.ts'
import { eventInvariants, postgresBusInvariants } from './event-invariants.ts'
import { statementOf, type Scope } from './changes/scope.ts'
import type { Violation, Invariant } from './invariant.ts'
import { journalInvariants } from './journal-invariants.ts'
import type { JournalEntry } from './journal.ts'
import { ledgerInvariants } from './ledger-invariants.ts'
import { listingInvariants } from './listings/listing-invariants.ts'
import { pictureInvariants } from './pictures/picture-invariants.ts'
import { projectionInvariants } from './projection-invariants.ts'
import { providerInvariants } from './provider-invariants.ts'
import { readProvider, type ProviderAccess, type ProviderIntent } from './provider-record.ts'
import { saleInvariants } from './sale-invariants.ts'
import { findOrderViolations } from './observed-prices.ts'

/** The data that the invariants are checked against. */
export interface InvariantSources {
  /** URL of the marketplace database. Its role must be able to read every schema. */
  databaseUrl: string
  /** Access to the card provider. If it is missing, sales and the ledger are not compared with the provider's data. */
  provider?: ProviderAccess | undefined
  /** The responses that a load test received. If they are missing, the invariants that need them are skipped. */
  journal?: readonly JournalEntry[] | undefined
  /**
   * Limit for the total of a first-time buyer's leading bids and unpaid wins, in cents; 0 means no limit. The default
   * is the auction service's default.
   */
  maxExposureCents?: number | undefined
}

export interface CheckResult {
  name: string
  violations: Violation[]
}

const pollMs = 250

/** Returns all invariants that are SQL queries, grouped by the data that they need. */
export function invariantsBySource(maxExposureCents = defaultMaxExposureCents) {
  return {
    /** Invariants of every marketplace database. */
    database: [
      ...auctionInvariants,
      ...bidderInvariants(maxExposureCents),
      ...blockInvariants,
      ...listingInvariants,
      ...saleInvariants,
      ...ledgerInvariants,
      ...projectionInvariants,
      ...pictureInvariants,
      ...eventInvariants,
    ],
    /** Invariants that compare the database with the card provider's record. */
    provider: providerInvariants,
    /** Invariants that compare the database with the responses that a load test received. */
    journal: journalInvariants,
    /** Invariants of a bus in Postgres. */
    postgresBus: postgresBusInvariants,
  } satisfies Record<string, readonly Invariant[]>
}

/** Checks all invariants whose sources are given. */
export async function checkInvariants({
  databaseUrl,
  provider,
  journal,
  maxExposureCents,
}: InvariantSources): Promise<CheckResult[]> {
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 60_000 })
  await client.connect()
  try {
    const record = provider && (await readProvider(provider))
    return await checkRecords(client, { record, journal, maxExposureCents })
  } finally {
    await client.end()
  }
}

export interface Records {
  record: readonly ProviderIntent[] | undefined
  journal: InvariantSources['journal']
  maxExposureCents?: number | undefined
}

/**
 * Checks the invariants on the connection `client`, including uncommitted changes that were made on this connection. If
 * `only` is given, checks only the invariant with that name.
 */
export async function checkRecords(client: pg.Client, records: Records, only?: string): Promise<CheckResult[]> {
  const checked = await checkStatements(client, records, 'all', only)
  const { journal } = records
  if (!journal || only !== undefined) return checked
  return [...checked, { name: 'what the load saw came in order', violations: findOrderViolations(journal) }]
}

/**
 * Checks the invariants that are SQL queries. With the scope `changed`, checks only changed rows and skips invariants
 * that need all rows. Before the call, set the session settings `ops.listings` and `ops.sales` of `client` to the ids
 * of the changed listings and sales; `record` must contain the card provider's data for these sales. If `only` is
 * given, checks only the invariant with that name.
 */
export async function checkStatements(
  client: pg.Client,
  { record, journal, maxExposureCents = defaultMaxExposureCents }: Records,
  scope: Scope,
  only?: string,
): Promise<CheckResult[]> {
  const chosen = (invariants: readonly Invariant[]) =>
    only === undefined ? invariants : invariants.filter(({ name }) => name === only)
  const bySource = invariantsBySource(maxExposureCents)
  return [
    ...(await checkAll(client, scope, chosen(await internalInvariants(client, maxExposureCents)))),
    ...(record ? await checkAll(client, scope, chosen(bySource.provider), record) : []),
    ...(journal ? await checkAll(client, scope, chosen(bySource.journal), journal) : []),
  ]
}

/**
 * Repeats the check until it finds no violation or `withinMs` has passed. Returns only violations that both of the last
 * two checks found, because a write during one check can look like a violation.
 */
export async function checkWhenIdle(sources: InvariantSources, withinMs: number): Promise<CheckResult[]> {
  const end = performance.now() + withinMs
  let latest = await checkIfReachable(sources)
  let persistent = latest
  const isOver = (checks: number) => checks > 1 && performance.now() >= end
  // A check that finds violations is repeated at least once, even if the first check takes longer than `withinMs`.
  for (
    let checks = 1, cleanPolls = 0;
    violationsIn(latest).length > 0 && cleanPolls < 2 && !isOver(checks);
    checks += 1
  ) {
    await sleep(pollMs)
    const before = new Set(violationsIn(latest).map(({ message }) => message))
    latest = await checkIfReachable(sources)
    persistent = latest.map(({ name, violations }) => ({
      name,
      violations: violations.filter(({ message }) => before.has(message)),
    }))
    cleanPolls = violationsIn(persistent).length === 0 ? cleanPolls + 1 : 0
  }
  return persistent
}

export async function violationsWhenIdle(sources: InvariantSources, withinMs: number): Promise<Violation[]> {
  return violationsIn(await checkWhenIdle(sources, withinMs))
}

function violationsIn(checked: readonly CheckResult[]): Violation[] {
  return checked.flatMap(({ violations }) => violations)
}

// If the database or the card provider is unreachable, returns a violation instead of throwing, so that the caller
// repeats the check.
async function checkIfReachable(sources: InvariantSources): Promise<CheckResult[]> {
  try {
    return await checkInvariants(sources)
  } catch (error) {
    if (!(error instanceof Error) || error instanceof pg.DatabaseError) throw error
    const name = 'the database and the provider are reachable'
    return [{ name, violations: [{ invariant: name, message: error.name }] }]
  }
}

async function internalInvariants(client: pg.Client, maxExposureCents: number): Promise<Invariant[]> {
  const { rows } = await client.query<{ bus: string | null }>(`select to_regclass('bus.positions') as bus`)
  const { database, postgresBus } = invariantsBySource(maxExposureCents)
  return rows[0]?.bus ? [...database, ...postgresBus] : [...database]
}

async function checkAll(
  client: pg.Client,
  scope: Scope,
  invariants: readonly Invariant[],
  given?: readonly unknown[],
): Promise<CheckResult[]> {
  const checked: CheckResult[] = []
  for (const invariant of invariants) {
    const statement = statementOf(invariant, scope)
    if (statement === null) continue
    const { name } = invariant
    const { rows } = await client.query<{ message: string }>(statement, given && [JSON.stringify(given)])
    checked.push({ name, violations: rows.map(({ message }) => ({ invariant: name, message })) })
  }
  return checked
}
