import { readdirSync, readFileSync } from 'node:fs'
import { upstreams, type ChaosStack } from './chaos-stack.ts'

export interface Resources {
  descriptors: number
  mebibytes: number
}

/** Returns the open descriptors and the memory of all service processes. */
export function resourcesOf({ services }: ChaosStack): Resources {
  const pids = [...upstreams, 'gateway' as const].flatMap((name) => services[name].pids())
  const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0)
  return {
    descriptors: sum((pid) => readdirSync(`/proc/${pid}/fd`).length),
    mebibytes: Math.round(sum(residentKilobytes) / 1024),
  }
}

function residentKilobytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}
