import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Guarded = { readonly pid: number; readonly exited: Promise<void> }

// The pipe on stdin closes when the launcher ends, however it ends. A server that another launcher claimed since is left alone.
const SCRIPT = 'read -r line; [ "$line" = done ] && exit; [ "$(cat "$2")" = "$3" ] && kill -INT "$1"'

/** Names this process the launcher of `dataDir`; the answer ties a server's life to it. */
export async function claim(dataDir: string): Promise<(server: Guarded) => void> {
  const file = join(dataDir, 'launcher')
  const id = randomUUID()
  await writeFile(`${file}.${id}`, id)
  await rename(`${file}.${id}`, file)
  return (server) => guard(server, file, id)
}

function guard({ pid, exited }: Guarded, file: string, id: string): void {
  if (process.platform === 'win32') return
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', String(pid), file, id], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  child.stdin.on('error', () => {})
  void exited.then(() => child.stdin.end('done\n'))
}
