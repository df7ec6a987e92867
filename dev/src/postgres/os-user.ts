import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../start-error.ts'

/** Whom Postgres runs as when the launcher is root, which Postgres refuses to be. */
export type OsUser = { readonly name: string; readonly uid: number; readonly gid: number }

/** The owner of an existing cluster, else a user every Linux has; undefined when the launcher is not root. */
export function postgresUser(cluster: string): OsUser | undefined {
  const self = process.getuid?.()
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  if (self !== 0) {
    if (self !== undefined && owner !== undefined && owner !== self) {
      throw new StartError(
        `The database in ${cluster} belongs to another user (uid ${owner}): start as that user, or set DATA_DIR to another folder.`,
      )
    }
    return undefined
  }
  const users = readUsers()
  const found = owner ? users.find((user) => user.uid === owner) : undefined
  const user = found ?? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody')
  if (user) return user
  throw new StartError(
    'Postgres does not run as root, and there is no user "postgres" or "nobody" to run it as: start as another user.',
  )
}

/** Asked of the system by going there, since modes alone do not know of ACLs and mounts. */
export function canReach(user: OsUser | undefined, folder: string): boolean {
  if (!user) return true
  const ids = { uid: user.uid, gid: user.gid }
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...ids, cwd: '/', stdio: 'ignore' }).status === 0
}

function readUsers(): OsUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid }) => name !== '' && uid > 0)
}
