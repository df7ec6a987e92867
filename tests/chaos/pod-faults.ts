import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause, pick } from './random.ts'

/** Returns whether a process has an open TCP socket with this local port. */
function ownsPort(pid: number, port: number): boolean {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').split('\n')
  const inodes = lines.map((line) => line.trim().split(/\s+/)).filter(([, local]) => local?.endsWith(`:${hex}`))
  const sockets = new Set(inodes.map((fields) => `socket:[${fields[9]}]`))
  return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(targetOf(`/proc/${pid}/fd/${fd}`)))
}

// A descriptor can be closed after the folder was read.
function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** Cuts the connections of one process to a server, also those that it opens meanwhile; the other process keeps its own. */
async function cutOffPod({ services, servers }: ChaosStack, server: 'kafka' | 'postgres'): Promise<void> {
  const pid = pick(services[pick(['auction', 'catalog', 'payments', 'search'] as const)].pids())
  const known = new Map<number, boolean>()
  const isAffected = (port: number) => {
    const isOwn = known.get(port) ?? ownsPort(pid, port)
    known.set(port, isOwn)
    return isOwn
  }
  servers.proxies[server].cut(isAffected)
  await pause(longOrShort(30_000, 15_000))
  servers.proxies[server].restore()
}

export const podFaults: readonly Fault[] = [
  {
    title: 'a pod is cut off from the bus without a reset',
    inject: (stack) => cutOffPod(stack, 'kafka'),
    // The card network breaks off some of the load's own calls.
    mayFail: /payments|buy-now/,
    times: 3,
  },
  {
    title: 'a pod is cut off from its database without a reset',
    inject: (stack) => cutOffPod(stack, 'postgres'),
    mayFail: /./,
    times: 3,
  },
]
