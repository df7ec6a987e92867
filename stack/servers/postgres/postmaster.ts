import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The process id and port that the running server of a cluster wrote to its pid file. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** Returns the live server of this cluster, if any. Deletes the pid file of a killed one. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const file = join(cluster, 'postmaster.pid')
  const lines = readLines(file)
  if (lines.length === 0) return undefined
  const pid = Number(lines[0])
  if (isPostgresOf(cluster, pid)) return { pid, port: Number(lines[3]) }
  // Postgres refuses to start when a process of the same user has the pid of a stale file.
  rmSync(file, { force: true })
  return undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Resolves with true once the process is gone (also as a zombie), or with false after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (isAlive(pid) && commandLine(pid) !== '') {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

function isPostgresOf(cluster: string, pid: number): boolean {
  return pid > 0 && isAlive(pid) && commandLine(pid).includes(cluster)
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return process.platform === 'linux' ? '' : commandLineFromPs(pid)
  }
}

function commandLineFromPs(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
