import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { startStack, type Stack, type StackOptions } from '@marketplace/stack/launcher/stack.ts'
import pg from 'pg'

export type TestStackOptions = Partial<StackOptions>

export type TestStack = Stack & { readonly dataDir: string }

/**
 * Starts an empty stack on free ports in a temporary folder. Uses the Postgres, Kafka and Redis that the environment
 * names, if any.
 */
export async function startTestStack(options: TestStackOptions): Promise<TestStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-e2e-'))
  const { KAFKA_BROKERS: kafkaBrokers, REDIS_URL: redisUrl, TEST_ADMIN_URL: databaseUrl } = process.env
  const databaseName = `e2e_${process.pid}_${Date.now()}`
  const servers = { kafkaBrokers, redisUrl, ...(databaseUrl && { databaseUrl, databaseName }) }
  const stack = await startStack({ port: 0, dataDir, seedDemo: false, ...servers, ...options })
  const stop = async () => {
    await stack.stop()
    if (databaseUrl) await dropDatabase(databaseUrl, databaseName)
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...stack, dataDir, stop }
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.end()
}

interface WorkerFixtures {
  stackOptions: TestStackOptions
  stack: TestStack
}

/** Tests of one file share a stack, configured by `test.use({ stackOptions })`. */
export const test = base.extend<object, WorkerFixtures>({
  stackOptions: [{}, { option: true, scope: 'worker' }],
  stack: [
    async ({ stackOptions }, use) => {
      const stack = await startTestStack(stackOptions)
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

export { withoutPages } from '@marketplace/stack/launcher/topology.ts'
export { expect } from '@playwright/test'
