import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack, type Stack } from './stack.ts'

// People type faster here than the limits are made for.
const gateway = { LIMIT_SIGN_INS_PER_MINUTE: '6000', LIMIT_READS_PER_SECOND: '1000', LIMIT_WRITE_BURST: '1000' }

// Every page is filled, however busy this machine is.
const web = { FILL_TIMEOUT_MS: '10000' }

/** One stack with demo data for all who look at the pages, on free ports, in a folder that goes with it. */
export async function withPagesStack<Result>(use: (stack: Stack) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-pages-'))
  try {
    const stack = await startStack({ port: 0, dataDir, seedDemo: true, durable: false, env: { gateway, web } })
    try {
      return await use(stack)
    } finally {
      await stack.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
