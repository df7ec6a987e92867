import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { startStack, type Stack, type StackOptions } from '@marketplace/dev/stack.ts'
import { PROGRAMS } from '@marketplace/dev/wiring.ts'

export type TestStackOptions = Partial<StackOptions>

/** Everything but the pages, for journeys over HTTP. */
export const withoutPages = PROGRAMS.filter((name) => name !== 'web')

/** An embedded stack of its own, empty, on free ports, in a folder that goes with it. */
async function startTestStack(options: TestStackOptions): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-e2e-'))
  const kafkaBrokers = process.env['KAFKA_BROKERS']
  const stack = await startStack({ port: 0, dataDir, seedDemo: false, kafkaBrokers, ...options })
  const stop = async () => {
    await stack.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...stack, stop }
}

interface WorkerFixtures {
  stackOptions: TestStackOptions
  stack: Stack
}

/** Tests of one file share a stack: `test.use({ stackOptions })` says which. */
export const test = base.extend<object, WorkerFixtures>({
  stackOptions: [{}, { option: true, scope: 'worker' }],
  stack: [
    async ({ stackOptions }, use) => {
      const stack = await startTestStack(stackOptions)
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect } from '@playwright/test'
