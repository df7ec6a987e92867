import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { StartError } from '../../launcher/start-error.ts'

/** The user that Postgres runs as when the launcher is root, because Postgres does not run as root. */
export interface OsUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the owner of an existing cluster, otherwise a user that every Linux has; undefined when the launcher is not
 * root.
 */
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
    'Postgres does not run as root, and no user "postgres" or "nobody" exists to run it: start as another user.',
  )
}

/** Checks access by changing into the folder: modes alone do not cover ACLs and mounts. */
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
