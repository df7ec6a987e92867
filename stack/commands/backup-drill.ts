import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { violationsWhenIdle } from '@marketplace/ops/invariants/check-invariants.ts'
import type { Violation } from '@marketplace/ops/invariants/invariant.ts'
import { startPostgres } from '../servers/postgres/postgres.ts'
import { rolesOf } from '@marketplace/ops/provision/provision.ts'
import { openDataDir } from '../launcher/data-dir.ts'
import { startStack, type Stack } from '../launcher/stack.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { restoreBackup } from '@marketplace/ops/backup/restore-backup.ts'
import { takeBackup } from '@marketplace/ops/backup/take-backup.ts'

export interface DrillOptions {
  /** The admin's URL of the database to back up. */
  adminUrl: string
  /** The file with the secrets of its services, if there is one. */
  secretsFile?: string | undefined
  /** A new folder for the backup and for the server that it is restored on. */
  folder: string
  step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
}

export interface DrillResult {
  rows: number
  violations: Violation[]
}

const idleTimeoutMs = 60_000

/**
 * Backs up the database, restores it on another server, starts the services there, and checks the invariants once they
 * are idle.
 */
export async function drillBackup({ adminUrl, secretsFile, folder, step }: DrillOptions): Promise<DrillResult> {
  const { tables } = await step('Backup', () => takeBackup(adminUrl, join(folder, 'backup')))
  const dataDir = join(folder, 'restored')
  const stacked = openDataDir(dataDir)
  if (secretsFile !== undefined && existsSync(secretsFile)) cpSync(secretsFile, join(dataDir, 'secrets.json'))
  stacked.release()
  const { secrets, release } = openDataDir(dataDir)
  release()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true })
  try {
    const passwords = Object.fromEntries(rolesOf(schemas).map((role) => [role, secrets.databasePasswords[role] ?? '']))
    const rights = { services: schemas, database: 'marketplace', passwords }
    const restored = await step('Restore', () => restoreBackup(postgres.adminUrl, join(folder, 'backup'), rights))
    const stack = await step('Services', () => startServices(postgres.adminUrl, dataDir))
    try {
      const violations = await step('Invariants', () => violationsWhenIdle({ databaseUrl: restored }, idleTimeoutMs))
      return { rows: tables.reduce((sum, table) => sum + table.rows, 0), violations }
    } finally {
      await stack.stop()
    }
  } finally {
    await postgres.stop()
  }
}

// Without a gateway there are no writes. The card network is unreachable, so that no payment is repeated.
const unreachable = 'http://127.0.0.1:1'
const stripe = { secretKey: 'sk_none', publishableKey: 'pk_none', webhookSecret: 'whsec_none', apiBase: unreachable }
const oidc = { issuer: unreachable, clientId: 'none', clientSecret: 'none' }

function startServices(databaseUrl: string, dataDir: string): Promise<Stack> {
  return startStack({ port: 0, dataDir, databaseUrl, only: schemas, stripe, oidc })
}
