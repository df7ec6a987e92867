import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack, type Stack, type StackOptions } from './stack.ts'

/** Runs a marketplace on free ports and in a temporary folder while `use` runs, which starts when the demo data is complete. */
export async function withStack<Result>(
  options: Omit<StackOptions, 'port' | 'dataDir'>,
  use: (stack: Stack) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-stack-'))
  try {
    const stack = await startStack({ ...options, port: 0, dataDir })
    try {
      await stack.demoReady
      return await use(stack)
    } finally {
      await stack.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
