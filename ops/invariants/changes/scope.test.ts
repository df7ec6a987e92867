import { schemas } from '@marketplace/contracts/services.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auctionInvariants } from '../auction-invariants.ts'
import { eventInvariants } from '../event-invariants.ts'
import type { Invariant } from '../invariant.ts'
import { ledgerInvariants } from '../ledger-invariants.ts'
import { projectionInvariants } from '../projection-invariants.ts'
import { providerInvariants } from '../provider-invariants.ts'
import { listingInvariants } from '../listings/listing-invariants.ts'
import { saleInvariants } from '../sale-invariants.ts'
import { statementOf } from './scope.ts'

const invariants: readonly Invariant[] = [
  ...auctionInvariants,
  ...listingInvariants,
  ...saleInvariants,
  ...ledgerInvariants,
  ...projectionInvariants,
  ...eventInvariants,
]

let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  database = await testDatabase(...schemas)
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  await admin.query(`set enable_seqscan = off; set ops.listings = '{}'; set ops.sales = '{}'`)
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

/** Returns the tables that a statement reads as a whole, because no index fits. */
async function scannedTables(sql: string, values?: unknown[]): Promise<string[]> {
  const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`explain (verbose) ${sql}`, values)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  return [...plan.matchAll(/Seq Scan on (\S+)/g)].map(([, table = '']) => table)
}

describe('the statement of an invariant for changes', () => {
  it('is missing for the invariants that compare whole tables', () => {
    const skipped = invariants.filter((invariant) => statementOf(invariant, 'changed') === null)
    expect(skipped.map(({ name }) => name)).toEqual([
      'an auction that is over is closed, once',
      'search counts for each filter the listings that it shows',
      'users counts no sale of a seller twice',
      'each bid has its event, and each of those events its bid',
      'each sale that ended has its event',
      'each version of a listing has its event',
    ])
  })

  it('reads no table as a whole', async () => {
    const scanned = new Map<string, string[]>()
    for (const invariant of invariants) {
      const statement = statementOf(invariant, 'changed')
      if (statement !== null) scanned.set(invariant.name, await scannedTables(statement))
    }
    for (const { name, sql } of providerInvariants)
      scanned.set(name, await scannedTables(statementOf({ name, sql, isBounded: true }, 'changed') ?? '', ['[]']))
    const found = [...scanned].filter(([, tables]) => tables.some((table) => !table.endsWith('.parked')))
    expect(Object.fromEntries(found)).toEqual({})
  })

  it('throws for an unknown condition', () => {
    expect(() => statementOf({ name: 'x', sql: 'select {{person:id}}' }, 'changed')).toThrow('person')
  })
})
