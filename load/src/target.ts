import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkWhenIdle } from '@marketplace/ops/invariants/check-invariants.ts'
import { startServers } from '@marketplace/stack/servers/servers.ts'
import { productionSettings } from '@marketplace/stack/launcher/topology.ts'
import { startStack } from '@marketplace/stack/launcher/stack.ts'

export interface Target {
  url: string
  /** Returns whether the invariants hold and no process was restarted; true for an external marketplace. */
  verify(): Promise<boolean>
  stop(): Promise<void>
}

// The load comes from one address, so the gateway trusts its X-Forwarded-For headers. All limits are those of
// production, except for sign-ins: hundreds within a minute are not typical.
const gateway = { TRUSTED_PROXIES: '127.0.0.1', LIMIT_SIGN_INS_PER_MINUTE: '100000' }
const idleTimeoutMs = 20_000

/** An external marketplace: nothing is started, and its database is not checked. */
export function externalTarget(url: string): Target {
  return { url, verify: async () => true, stop: async () => undefined }
}

export interface TargetOptions {
  isReal: boolean
  isProduction: boolean
}

/** Starts an empty, durable marketplace in a temporary folder. */
export async function startTarget({ isReal, isProduction }: TargetOptions): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-load-'))
  const servers = isReal ? await startServers({ dataDir, report: print }) : undefined
  const { stop: stopServers, ...addresses } = servers ?? { stop: async () => undefined }
  const env = { ...(isProduction ? productionSettings : {}), gateway }
  const restarts: string[] = []
  const report = (line: string) => {
    print(line)
    if (line.endsWith('and is restarted')) restarts.push(line)
  }
  const stack = await startStack({ port: 0, dataDir, seedDemo: false, env, report, ...addresses })
  return {
    url: stack.url,
    verify: async () => (await holds(stack.adminUrl)) && restarts.length === 0,
    async stop() {
      await stack.stop()
      await stopServers()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function holds(databaseUrl: string): Promise<boolean> {
  const broken = (await checkWhenIdle({ databaseUrl }, idleTimeoutMs)).filter(({ violations }) => violations.length > 0)
  for (const { name, violations } of broken)
    print(`FAIL ${name}: ${violations.map(({ message }) => message).join('; ')}`)
  print(broken.length === 0 ? 'The invariants hold' : `${broken.length} invariants do not hold`)
  return broken.length === 0
}

function print(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
