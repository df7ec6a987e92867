import type { Client } from '@connectrpc/connect'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { Service } from '@marketplace/kit/app/service.ts'
import { openTestPool, testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import type { UsersSettings } from '../config.ts'
import type { Context } from '../context.ts'
import type { UsersTables } from '../db.ts'
import { deriveSecrets } from '../secrets.ts'
import { createUsersService } from '../service.ts'
import { openidProvider } from '../sign-in/identity-provider.ts'
import { startOpenidProvider, type TestProvider } from './openid-provider.ts'

export const origin = 'http://localhost:8080'
export const client = {
  redirectUri: `${origin}/auth/callback`,
  clientId: 'marketplace',
  clientSecret: 'a-client-secret-of-the-tests',
}

/** One instance of the service, without its sweeps. */
export interface Instance {
  service: Service
  ctx: Context
  internalUrl: string
  rpc: Client<typeof UsersService>
  stop(): Promise<void>
}

export interface Harness {
  database: TestDatabase
  provider: TestProvider
  settings: UsersSettings
  /** Starts another instance on the same database, with changed settings if given. */
  startInstance(changes?: Partial<UsersSettings>): Promise<Instance>
  close(): Promise<void>
}

export async function createHarness(): Promise<Harness> {
  const [database, provider] = await Promise.all([testDatabase('users'), startOpenidProvider(client)])
  const keys = await startTestKeys()
  const settings: UsersSettings = {
    ...testSettings(database, keys),
    PUBLIC_ORIGIN: origin,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    SESSION_SECRET: 'a-session-secret-of-the-tests-alone',
    LOGIN_TTL_MS: 600_000,
    ACCESS_TOKEN_TTL_MS: 300_000,
    REFRESH_TOKEN_TTL_MS: 30 * 86_400_000,
    SESSION_MAX_AGE_MS: 90 * 86_400_000,
    MAX_SESSIONS: 100,
    REFRESH_GRACE_MS: 30_000,
    SIGNING_KEY_ROTATION_INTERVAL_MS: 86_400_000,
    SIGNING_KEY_ACTIVATION_DELAY_MS: 600_000,
    SIGNING_KEY_CHECK_INTERVAL_MS: 30_000,
    SWEEP_INTERVAL_MS: 60_000,
    MAX_BLOCKS: 5000,
    PROFILE_TTL_MS: 60_000,
    DATA_REQUEST_RETENTION_MS: 600_000,
  }
  const instances: Instance[] = []
  return {
    database,
    provider,
    settings,
    async startInstance(changes = {}) {
      const instance = await startInstance({ ...settings, ...changes })
      instances.push(instance)
      return instance
    },
    async close() {
      await Promise.all(instances.map((instance) => instance.stop()))
      await Promise.all([provider.stop(), keys.stop()])
      await database.drop()
    },
  }
}

async function startInstance(settings: UsersSettings): Promise<Instance> {
  const service = createUsersService(settings)
  const internalUrl = await service.internalApp.listen({ host: '127.0.0.1', port: 0 })
  const db = openTestPool<UsersTables>(settings.DATABASE_URL)
  const ctx = {
    db,
    log: service.log,
    settings,
    secrets: deriveSecrets(settings.SESSION_SECRET),
    provider: openidProvider(settings),
  }
  const rpc = rpcClient(UsersService, internalUrl, testSecret)
  return {
    service,
    ctx,
    internalUrl,
    rpc,
    async stop() {
      await db.destroy()
      await service.stop()
    },
  }
}
