import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface GuardedServer {
  readonly pid: number
  readonly exited: Promise<void>
}

const prefix = 'launcher'

// The pipe on stdin closes when the launcher ends, however it ends. The guard stops the server only if it could delete
// the launcher's claim: a file can be deleted once, so a new launcher that deleted the claim keeps the server.
const guardScript = 'read -r line; [ "$line" = done ] && exit; rm "$2" && kill -INT "$1"'

interface Claim {
  /** True if no guard stops a server that an earlier launcher left running. False if a guard may be stopping it. */
  readonly isServerKept: boolean
  /** Ends a server when this process ends. */
  guard(server: GuardedServer): void
}

/** Registers this process as the launcher of `dataDir` in place of earlier ones. */
export async function claim(dataDir: string): Promise<Claim> {
  const own = `${prefix}.${randomUUID()}`
  await writeFile(join(dataDir, own), '')
  const earlier = (await readdir(dataDir)).filter((name) => name.startsWith(prefix) && name !== own)
  const deleted = await Promise.allSettled(earlier.map((name) => unlink(join(dataDir, name))))
  return {
    isServerKept: deleted.some(({ status }) => status === 'fulfilled'),
    guard: (server) => guard(server, join(dataDir, own)),
  }
}

function guard({ pid, exited }: GuardedServer, claimFile: string): void {
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', String(pid), claimFile], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  child.stdin.on('error', () => {})
  void exited.then(() => child.stdin.end('done\n'))
}
