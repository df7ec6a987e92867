import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../launcher/start-error.ts'
import { canReach, type OsUser } from './os-user.ts'
import { findPostmaster } from './postmaster.ts'

const run = promisify(execFile)

// Full-text search and trigrams classify letters by LC_CTYPE. The first locale that the machine has is used.
const ctypeCandidates = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** Returns the admin's password of the cluster below `dataDir`, created on first use. */
export async function adminPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'admin-password')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known) return known
  const password = randomBytes(24).toString('base64url')
  await writeFile(`${file}.new`, password, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return password
}

/**
 * Returns a folder that the user who runs Postgres can access: `dataDir` itself, otherwise the target of
 * `dataDir/moved`.
 */
export async function reachableFolder(dataDir: string, user: OsUser | undefined): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  if (canReach(user, dataDir)) return dataDir
  // A temporary folder has mode 0700. Private files inside have restrictive modes of their own.
  await chmod(dataDir, 0o711)
  if (canReach(user, dataDir)) return dataDir
  const moved = await readlink(join(dataDir, 'moved')).catch(() => undefined)
  return moved ?? moveData(dataDir)
}

const movedData = '/var/lib/marketplace'

async function moveData(dataDir: string): Promise<string> {
  await mkdir(movedData, { recursive: true, mode: 0o755 })
  await deleteOrphans()
  const folder = await mkdtemp(join(movedData, 'postgres-'))
  await chmod(folder, 0o711)
  const mark = join(dataDir, 'moved.mark')
  await rm(mark, { force: true })
  await writeFile(mark, '')
  // Fails across file systems. Such a folder has no mark, and is never deleted.
  await link(mark, join(folder, 'mark')).catch(() => {})
  await symlink(folder, join(dataDir, 'moved'))
  return folder
}

// A folder is an orphan when its mark has lost the other link, which is deleted with the data directory and kept when
// that is renamed.
async function deleteOrphans(): Promise<void> {
  for (const name of await readdir(movedData)) {
    const folder = join(movedData, name)
    const mark = await stat(join(folder, 'mark')).catch(() => undefined)
    const isOrphan = mark?.nlink === 1 && !findPostmaster(join(folder, 'cluster'))
    if (isOrphan) await rm(folder, { recursive: true, force: true })
  }
}

export interface InitOptions {
  binaries: string
  folder: string
  user: OsUser | undefined
  password: string
  durable: boolean
}

/** Creates the cluster in `folder/cluster` unless it exists, and returns its path. A cluster that a killed run left incomplete is replaced. */
export async function initCluster(options: InitOptions): Promise<string> {
  const cluster = join(options.folder, 'cluster')
  if (
    await lstat(cluster).then(
      () => true,
      () => false,
    )
  )
    return cluster
  const partial = `${cluster}.new`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { mode: 0o700 })
  if (options.user) await chown(partial, options.user.uid, options.user.gid)
  await initdb(partial, options)
  await rename(partial, cluster)
  return cluster
}

async function initdb(target: string, options: InitOptions): Promise<void> {
  const passwordFile = join(options.folder, 'password.new')
  await writeFile(passwordFile, options.password, { mode: 0o600 })
  if (options.user) await chown(passwordFile, options.user.uid, options.user.gid)
  try {
    await initdbWithLocale(target, passwordFile, options)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function initdbWithLocale(target: string, passwordFile: string, options: InitOptions): Promise<void> {
  const { binaries, user, durable } = options
  const fixed = [
    '-D',
    target,
    '-U',
    'postgres',
    '--pwfile',
    passwordFile,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ]
  let reason = ''
  for (const ctype of ctypeCandidates) {
    const ids = user && { uid: user.uid, gid: user.gid }
    const failure = await run(join(binaries, 'bin', 'initdb'), [...fixed, `--lc-ctype=${ctype}`], {
      ...ids,
      cwd: '/',
      env: { LC_ALL: 'C' },
    }).then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (failure === undefined) return
    reason = failure
    if (!reason.includes('locale')) break
  }
  throw new StartError(`Postgres could not create its data folder ${target}: ${reason.trim()}`)
}
