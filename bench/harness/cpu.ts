import { readdirSync, readFileSync } from 'node:fs'

// Linux reports CPU time in hundredths of a second, whatever the kernel's tick; the scheduler's statistics, where
// available, are in nanoseconds.
const ticksPerSecond = 100

interface Stat {
  parent: number
  seconds: number
  /** Of children that have exited. */
  endedSeconds: number
}

/** Returns the CPU seconds of processes so far, including their children, running or exited. */
export function cpuSeconds(pids: readonly number[]): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = all.filter((pid) => pids.includes(read(pid)?.parent ?? 0)).map(Number)
  const own = pids.map((pid) => read(String(pid)))
  const theirs = children.filter((pid) => !pids.includes(pid)).map((pid) => read(String(pid)))
  const sum = (values: (number | undefined)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
  return sum(own.map((stat) => stat && stat.seconds + stat.endedSeconds)) + sum(theirs.map((stat) => stat?.seconds))
}

/** Returns the memory of a process in MiB: resident, and with shared pages counted proportionally. */
export function memoryMiB(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const [rss, pss] = ['Rss', 'Pss'].map(
    (name) => Number(new RegExp(String.raw`^${name}:\s+(\d+) kB`, 'm').exec(text)?.[1]) / 1024,
  )
  return { rss: rss ?? Number.NaN, pss: pss ?? Number.NaN }
}

function read(pid: string): Stat | undefined {
  try {
    // The process name in brackets may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    )
    return {
      parent,
      seconds: scheduledSeconds(pid) ?? (user + system) / ticksPerSecond,
      endedSeconds: (endedUser + endedSystem) / ticksPerSecond,
    }
  } catch {
    return undefined
  }
}

/** Returns the scheduler's CPU seconds of a process's current threads. */
function scheduledSeconds(pid: string): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const spent = threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))
    return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9
  } catch {
    return undefined
  }
}
