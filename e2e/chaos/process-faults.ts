import { expect } from '../src/stack.ts'
import { behind, type Behind, type ChaosStack } from './chaos-stack.ts'
import { longOrShort, type Fault } from './fault.ts'
import { pause, pick, shuffled } from './random.ts'

type Killed = Behind | 'gateway'

async function killOne({ services }: ChaosStack, name: Killed): Promise<void> {
  const pid = pick(services[name].pids())
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => services[name].pids()).not.toContain(pid)
  await services[name].ready()
}

// The kernel goes on giving connections to a frozen process; each call waits for its limit there.
async function freezeOne({ services }: ChaosStack, name: Killed, ms: number): Promise<void> {
  const pid = pick(services[name].pids())
  process.kill(pid, 'SIGSTOP')
  try {
    await pause(ms)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

async function cutOff({ gatewayWires }: ChaosStack, name: Behind): Promise<void> {
  gatewayWires[name].cut()
  await pause(longOrShort(20_000, 10_000))
  gatewayWires[name].mend()
}

const anything = /./

export const processFaults: readonly Fault[] = [
  {
    title: 'one process of each service is killed, one after the other',
    strike: async (stack) => {
      for (const name of shuffled([...behind, 'gateway' as const])) {
        await killOne(stack, name)
        await pause(0, 1000)
      }
    },
    mayFail: anything,
    times: 3,
    isShort: true,
  },
  ...([...behind, 'gateway'] as const).map((name) => ({
    title: `one of two ${name} processes is frozen for ${longOrShort(30_000, 12_000) / 1000} s`,
    strike: (stack: ChaosStack) => freezeOne(stack, name, longOrShort(30_000, 12_000)),
    mayFail: anything,
    ...(name === 'payments' ? { isShort: true as const } : {}),
  })),
  ...behind.map((name) => ({
    title: `the network between the gateways and ${name} is cut without a reset`,
    strike: (stack: ChaosStack) => cutOff(stack, name),
    mayFail: anything,
  })),
]
