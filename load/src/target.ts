import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkOnceQuiet } from '@marketplace/dev/invariants/find-findings.ts'
import { startServers } from '@marketplace/dev/servers.ts'
import { startStack } from '@marketplace/dev/stack.ts'

export interface Target {
  url: string
  /** Whether the records still hold; true where they cannot be seen. */
  verify(): Promise<boolean>
  stop(): Promise<void>
}

// Load comes from one address: so that its visitors count as many, the gateway believes whom it says it asks for. All
// other limits are those of production, but for signing in: nobody else signs hundreds in within a minute.
const gateway = { TRUSTED_PROXIES: '127.0.0.1', LIMIT_SIGN_INS_PER_MINUTE: '100000' }
const quietMs = 20_000

/** Somebody else's marketplace: nothing is started, and its records are not ours to see. */
export function givenTarget(url: string): Target {
  return { url, verify: async () => true, stop: async () => undefined }
}

/** A marketplace of its own, empty and durable, in a folder that goes with it. */
export async function startTarget(isReal: boolean): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-load-'))
  const servers = isReal ? await startServers({ dataDir, report: print }) : undefined
  const { stop: stopServers, ...addresses } = servers ?? { stop: async () => undefined }
  const stack = await startStack({ port: 0, dataDir, seedDemo: false, env: { gateway }, report: print, ...addresses })
  return {
    url: stack.url,
    verify: () => holds(stack.adminUrl),
    async stop() {
      await stack.stop()
      await stopServers()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function holds(databaseUrl: string): Promise<boolean> {
  const broken = (await checkOnceQuiet({ databaseUrl }, quietMs)).filter(({ findings }) => findings.length > 0)
  for (const { name, findings } of broken) print(`FAIL ${name}: ${findings.map(({ finding }) => finding).join('; ')}`)
  print(broken.length === 0 ? 'The invariants hold' : `${broken.length} invariants do not hold`)
  return broken.length === 0
}

function print(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
