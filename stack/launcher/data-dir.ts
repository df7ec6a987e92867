import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { freePort } from '../servers/ports.ts'
import { rolesOf } from '@marketplace/ops/provision/provision.ts'
import { StartError } from './start-error.ts'
import { type Ports, type ProgramName } from './topology.ts'
import { schemas } from '@marketplace/contracts/services.ts'

export const Secrets = z.object({
  internal: z.string(),
  session: z.string(),
  upload: z.string(),
  oidcClient: z.string(),
  stripeSecretKey: z.string(),
  stripePublishableKey: z.string(),
  stripeWebhook: z.string(),
  databasePasswords: z.record(z.string(), z.string()),
})

export type Secrets = z.infer<typeof Secrets>

const lockTimeoutMs = 1_500

export interface DataDir {
  readonly path: string
  readonly secrets: Secrets
  release(): void
}

/** Locks the folder for this launcher. The operating system releases the lock when the process ends. */
export function openDataDir(folder: string): DataDir {
  const path = resolve(folder)
  mkdirSync(path, { recursive: true })
  // Postgres runs as another user when the launcher is root, and needs to traverse this folder.
  if (process.getuid?.() === 0) chmodSync(path, 0o711)
  const lock = lockFolder(path)
  return { path, secrets: loadSecrets(join(path, 'secrets.json')), release: () => lock.close() }
}

/** Chooses the ports of every program, the same as in the last start where they are free. */
export async function choosePorts(dataDir: string, publicPort: number): Promise<Ports> {
  const file = join(dataDir, 'ports.json')
  const known = z.record(z.string(), z.number()).parse(JSON.parse(readOrDefault(file, '{}')))
  const taken = new Set([publicPort])
  const choose = async (name: string) => {
    const port = await freePort(known[name], taken)
    taken.add(port)
    known[name] = port
    return port
  }
  const postgres = await choose('postgres')
  const both = async (name: ProgramName) => ({
    port: name === 'gateway' ? publicPort : await choose(name),
    internalPort: await choose(`${name}.internal`),
  })
  const internalOnly = async (name: ProgramName) => {
    const internalPort = await choose(`${name}.internal`)
    return { port: internalPort, internalPort }
  }
  const programs = {
    users: await both('users'),
    catalog: await both('catalog'),
    'catalog-pictures': await internalOnly('catalog-pictures'),
    auction: await both('auction'),
    payments: await both('payments'),
    messaging: await both('messaging'),
    search: await both('search'),
    gateway: await both('gateway'),
    web: await both('web'),
    identity: await both('identity'),
    cards: await both('cards'),
  }
  writeAtomically(file, JSON.stringify(known, null, 2))
  return { postgres, programs }
}

function lockFolder(path: string): DatabaseSync {
  // A launcher that was just killed can hold the lock a moment longer.
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: lockTimeoutMs })
  const pidFile = join(path, 'launcher.pid')
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    throw new StartError(
      `The data folder ${path} is in use by another marketplace (process ${readOrDefault(pidFile, 'unknown')}): stop it, or set DATA_DIR to another folder.`,
    )
  }
  writeFileSync(pidFile, String(process.pid))
  return lock
}

function loadSecrets(file: string): Secrets {
  const known = Secrets.partial().parse(JSON.parse(readOrDefault(file, '{}')))
  const passwords = rolesOf(schemas).map((role) => [role, known.databasePasswords?.[role] ?? newSecret()])
  const secrets = {
    internal: known.internal ?? newSecret(),
    session: known.session ?? newSecret(),
    upload: known.upload ?? newSecret(),
    oidcClient: known.oidcClient ?? newSecret(),
    stripeSecretKey: known.stripeSecretKey ?? `sk_test_${newSecret()}`,
    stripePublishableKey: known.stripePublishableKey ?? `pk_test_${newSecret()}`,
    stripeWebhook: known.stripeWebhook ?? `whsec_${newSecret()}`,
    databasePasswords: Object.fromEntries(passwords),
  }
  writeAtomically(file, JSON.stringify(secrets, null, 2))
  return secrets
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function readOrDefault(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
