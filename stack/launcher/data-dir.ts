import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
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
const sqliteBusy = 5

export interface DataDir {
  readonly path: string
  readonly secrets: Secrets
  release(): void
}

/**
 * Locks the folder for this launcher. The operating system releases the lock when the process ends. Throws StartError
 * when the folder is in use or not usable.
 */
export function openDataDir(folder: string): DataDir {
  const path = resolve(folder)
  try {
    mkdirSync(path, { recursive: true })
    // Postgres runs as another user when the launcher is root, and needs to traverse this folder.
    if (process.getuid?.() === 0) chmodSync(path, 0o711)
    const lock = lockFolder(path)
    return { path, secrets: loadSecrets(join(path, 'secrets.json')), release: () => lock.close() }
  } catch (error) {
    throw explainFileError(error, path)
  }
}

const deniedCodes = ['EACCES', 'EPERM', 'ERR_SQLITE_ERROR']
const fileErrorCodes = new Set([...deniedCodes, 'EDQUOT', 'EEXIST', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EROFS'])

/**
 * Returns a StartError for an error of a file operation in the data folder, such as a full disk, and any other error
 * unchanged.
 */
export function explainFileError(error: unknown, path: string, self = process.getuid?.()): Error {
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause ? String(cause.code) : ''
  if (!fileErrorCodes.has(code) || isElsewhere(cause, path)) return cause
  const owner = deniedCodes.includes(code) ? ownerOf(path) : self
  if (self && owner !== undefined && owner !== self)
    return new StartError(
      `The data folder ${path} belongs to another user (uid ${owner}): start as that user, or set DATA_DIR to another folder.`,
    )
  return new StartError(`The data folder ${path} is not usable (${cause.message}): set DATA_DIR to another folder.`)
}

// The error of a folder that cannot be created may name a parent of it. The error of a full disk names no path.
function isElsewhere(error: Error, folder: string): boolean {
  const path = 'path' in error ? String(error.path) : folder
  return !path.startsWith(folder) && !folder.startsWith(path)
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid
  } catch {
    return undefined
  }
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
  const pidFile = join(path, 'launcher.pid')
  try {
    // A launcher that was just killed can hold the lock a moment longer.
    const lock = new DatabaseSync(join(path, 'lock'), { timeout: lockTimeoutMs })
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    writeFileSync(pidFile, String(process.pid))
    return lock
  } catch (error) {
    if (!isLocked(error)) throw error
    throw new StartError(
      `The data folder ${path} is in use by another marketplace (process ${readOrDefault(pidFile, 'unknown')}): stop it, or set DATA_DIR to another folder.`,
    )
  }
}

// The result code is the last byte of the extended one.
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === sqliteBusy
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
  return existsSync(file) ? readFileSync(file, 'utf8') : otherwise
}

function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
