import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface GuardedServer {
  readonly pid: number
  readonly exited: Promise<void>
}

// The pipe on stdin closes when the launcher ends, however it ends. A server that another launcher has claimed since is
// not stopped.
const guardScript = 'read -r line; [ "$line" = done ] && exit; [ "$(cat "$2")" = "$3" ] && kill -INT "$1"'

/**
 * Registers this process as the launcher of `dataDir`. Returns a function that ends a server when this process ends.
 */
export async function claim(dataDir: string): Promise<(server: GuardedServer) => void> {
  const file = join(dataDir, 'launcher')
  const id = randomUUID()
  await writeFile(`${file}.${id}`, id)
  await rename(`${file}.${id}`, file)
  return (server) => guard(server, file, id)
}

function guard({ pid, exited }: GuardedServer, file: string, id: string): void {
  if (process.platform === 'win32') return
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', String(pid), file, id], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  child.stdin.on('error', () => {})
  void exited.then(() => child.stdin.end('done\n'))
}
