import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { findingsOnceQuiet } from '../invariants/find-findings.ts'
import type { Finding } from '../invariants/invariant.ts'
import { startPostgres } from '../postgres.ts'
import { rolesOf } from '../provision.ts'
import { openDataDir } from '../stack/data-dir.ts'
import { startStack, type Stack } from '../stack.ts'
import { SCHEMAS } from '../wiring.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

export interface DrillOptions {
  /** An admin's address of the database that is backed up. */
  adminUrl: string
  /** Where the secrets of its services lie, if they are known. */
  secretsFile?: string | undefined
  /** A new folder for the backup and for a server of its own. */
  folder: string
  step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
}

export interface Drilled {
  rows: number
  findings: Finding[]
}

const quietMs = 60_000

/** Backs up, restores on another server, starts the services there, and checks the invariants once they are quiet. */
export async function drillBackup({ adminUrl, secretsFile, folder, step }: DrillOptions): Promise<Drilled> {
  const { tables } = await step('Backup', () => takeBackup(adminUrl, join(folder, 'backup')))
  const dataDir = join(folder, 'restored')
  const stacked = openDataDir(dataDir)
  if (secretsFile !== undefined && existsSync(secretsFile)) cpSync(secretsFile, join(dataDir, 'secrets.json'))
  stacked.release()
  const { secrets, release } = openDataDir(dataDir)
  release()
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: true })
  try {
    const passwords = Object.fromEntries(rolesOf(SCHEMAS).map((role) => [role, secrets.databasePasswords[role] ?? '']))
    const rights = { services: SCHEMAS, database: 'marketplace', passwords }
    const restored = await step('Restore', () => restoreBackup(postgres.adminUrl, join(folder, 'backup'), rights))
    const stack = await step('Services', () => startServices(postgres.adminUrl, dataDir))
    try {
      const findings = await step('Invariants', () => findingsOnceQuiet({ databaseUrl: restored }, quietMs))
      return { rows: tables.reduce((sum, table) => sum + table.rows, 0), findings }
    } finally {
      await stack.stop()
    }
  } finally {
    await postgres.stop()
  }
}

// Without a gateway nobody writes; the card network is not there, so that no money moves twice.
const nowhere = 'http://127.0.0.1:1'
const stripe = { secretKey: 'sk_none', publishableKey: 'pk_none', webhookSecret: 'whsec_none', apiBase: nowhere }
const oidc = { issuer: nowhere, clientId: 'none', clientSecret: 'none' }

function startServices(databaseUrl: string, dataDir: string): Promise<Stack> {
  return startStack({ port: 0, dataDir, databaseUrl, only: SCHEMAS, stripe, oidc })
}
