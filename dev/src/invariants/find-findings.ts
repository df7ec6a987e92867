import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { auctionInvariants } from './auction-invariants.ts'
import { eventInvariants, postgresBusInvariants } from './event-invariants.ts'
import type { Finding, Invariant } from './invariant.ts'
import { journalInvariants } from './journal-invariants.ts'
import type { JournalEntry } from './journal.ts'
import { ledgerInvariants } from './ledger-invariants.ts'
import { projectionInvariants } from './projection-invariants.ts'
import { providerInvariants } from './provider-invariants.ts'
import { readProvider, type ProviderAccess } from './provider-record.ts'
import { saleInvariants } from './sale-invariants.ts'
import { findSeenWrong } from './seen-prices.ts'

/** What the invariants are checked in. */
export interface World {
  /** The marketplace database, as its admin. */
  databaseUrl: string
  /** Without it the provider's record is not compared. */
  provider?: ProviderAccess | undefined
  /** What a load was answered; without it nothing is known to be acknowledged. */
  journal?: readonly JournalEntry[] | undefined
}

export interface Checked {
  name: string
  findings: Finding[]
}

const pollMs = 250

/** Checks every invariant that this world has the records for. */
export async function checkInvariants({ databaseUrl, provider, journal }: World): Promise<Checked[]> {
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 60_000 })
  await client.connect()
  try {
    const record = provider && (await readProvider(provider))
    const checked = [
      ...(await checkAll(client, await internalInvariants(client))),
      ...(record ? await checkAll(client, providerInvariants, record) : []),
    ]
    if (!journal) return checked
    const kept = await checkAll(client, journalInvariants, journal)
    return [...checked, ...kept, { name: 'what the load saw came in order', findings: findSeenWrong(journal) }]
  } finally {
    await client.end()
  }
}

/** The findings that are left once everything under way had its time to end. */
export async function findingsOnceQuiet(world: World, withinMs: number): Promise<Finding[]> {
  const end = performance.now() + withinMs
  for (;;) {
    const findings = await findFindings(world)
    if (findings.length === 0 || performance.now() > end) return findings
    await sleep(pollMs)
  }
}

// A database or a provider that is being started again is found wanting, not an error.
async function findFindings(world: World): Promise<Finding[]> {
  try {
    return (await checkInvariants(world)).flatMap(({ findings }) => findings)
  } catch (error) {
    if (!(error instanceof Error) || error instanceof pg.DatabaseError) throw error
    return [{ invariant: 'the database and the provider answer', finding: error.message }]
  }
}

async function internalInvariants(client: pg.Client): Promise<Invariant[]> {
  const { rows } = await client.query<{ bus: string | null }>(`select to_regclass('bus.positions') as bus`)
  return [
    ...auctionInvariants,
    ...saleInvariants,
    ...ledgerInvariants,
    ...projectionInvariants,
    ...eventInvariants,
    ...(rows[0]?.bus ? postgresBusInvariants : []),
  ]
}

async function checkAll(
  client: pg.Client,
  invariants: readonly Invariant[],
  given?: readonly unknown[],
): Promise<Checked[]> {
  const checked: Checked[] = []
  for (const { name, sql } of invariants) {
    const { rows } = await client.query<{ finding: string }>(sql, given && [JSON.stringify(given)])
    checked.push({ name, findings: rows.map(({ finding }) => ({ invariant: name, finding })) })
  }
  return checked
}
