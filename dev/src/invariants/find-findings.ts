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
import { readProvider, type ProviderAccess, type ProviderIntent } from './provider-record.ts'
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
    return await checkRecords(client, { record, journal })
  } finally {
    await client.end()
  }
}

/** The same in a database that is open, as its transaction sees it, held to a record that was read. */
export async function checkRecords(
  client: pg.Client,
  { record, journal }: { record: readonly ProviderIntent[] | undefined; journal: World['journal'] },
): Promise<Checked[]> {
  const checked = [
    ...(await checkAll(client, await internalInvariants(client))),
    ...(record ? await checkAll(client, providerInvariants, record) : []),
  ]
  if (!journal) return checked
  const kept = await checkAll(client, journalInvariants, journal)
  return [...checked, ...kept, { name: 'what the load saw came in order', findings: findSeenWrong(journal) }]
}

/**
 * The same, with the findings that are left once everything under way had its time to end. What is seen only once was
 * under way: the records are read one after the other, and on a busy day some checkout's time is always just over.
 */
export async function checkOnceQuiet(world: World, withinMs: number): Promise<Checked[]> {
  const end = performance.now() + withinMs
  let newest = await checkIfAnswered(world)
  let lasting = newest
  const isOver = (looks: number) => looks > 1 && performance.now() >= end
  // A look may take longer than there is time; a second one there is always.
  for (let looks = 1, calmPolls = 0; findingsIn(newest).length > 0 && calmPolls < 2 && !isOver(looks); looks += 1) {
    await sleep(pollMs)
    const before = new Set(findingsIn(newest).map(({ finding }) => finding))
    newest = await checkIfAnswered(world)
    lasting = newest.map(({ name, findings }) => ({
      name,
      findings: findings.filter(({ finding }) => before.has(finding)),
    }))
    calmPolls = findingsIn(lasting).length === 0 ? calmPolls + 1 : 0
  }
  return lasting
}

export async function findingsOnceQuiet(world: World, withinMs: number): Promise<Finding[]> {
  return findingsIn(await checkOnceQuiet(world, withinMs))
}

function findingsIn(checked: readonly Checked[]): Finding[] {
  return checked.flatMap(({ findings }) => findings)
}

// A database or a provider that is being started again is found wanting, not an error.
async function checkIfAnswered(world: World): Promise<Checked[]> {
  try {
    return await checkInvariants(world)
  } catch (error) {
    if (!(error instanceof Error) || error instanceof pg.DatabaseError) throw error
    const name = 'the database and the provider answer'
    return [{ name, findings: [{ invariant: name, finding: error.name }] }]
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
