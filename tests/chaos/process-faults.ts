import { expect } from '../support/processes/stack.ts'
import { upstreams, type Upstream, type ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause, pick, shuffled } from './random.ts'

type KillTarget = Upstream | 'gateway'

async function killOne({ services }: ChaosStack, name: KillTarget): Promise<void> {
  const pid = pick(services[name].pids())
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => services[name].pids()).not.toContain(pid)
  await services[name].ready()
}

// The kernel keeps assigning connections to a frozen process; each call there waits for its deadline.
async function freezeOne({ services }: ChaosStack, name: KillTarget, ms: number): Promise<void> {
  const pid = pick(services[name].pids())
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(ms)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

async function cutOff({ gatewayProxies }: ChaosStack, name: Upstream): Promise<void> {
  gatewayProxies[name].cut()
  await pause(longOrShort(20_000, 10_000))
  gatewayProxies[name].restore()
}

const anything = /./

export const processFaults: readonly Fault[] = [
  {
    title: 'one process of each service is killed, one after the other',
    inject: async (stack) => {
      for (const name of shuffled([...upstreams, 'gateway' as const])) {
        await killOne(stack, name)
        await pause(0, 1000)
      }
    },
    mayFail: anything,
    times: 3,
    isShort: true,
  },
  ...([...upstreams, 'gateway'] as const).map((name) => ({
    title: `one of two ${name} processes is frozen for ${longOrShort(30_000, 12_000) / 1000} s`,
    inject: (stack: ChaosStack) => freezeOne(stack, name, longOrShort(30_000, 12_000)),
    mayFail: anything,
    ...(name === 'payments' ? { isShort: true as const } : {}),
  })),
  ...upstreams.map((name) => ({
    title: `the network between the gateways and ${name} is cut without a reset`,
    inject: (stack: ChaosStack) => cutOff(stack, name),
    mayFail: anything,
  })),
]
