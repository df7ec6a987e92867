import type { Client } from '@connectrpc/connect'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { expectToMatchContractAt, readContract } from '@marketplace/testing/contract.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import type { UsersSettings } from '../config.ts'
import type { Context } from '../context.ts'
import type { UsersTables } from '../db.ts'
import { deriveSecrets } from '../secrets.ts'
import { createUsersService } from '../service.ts'
import { openidProvider } from '../sign-in/identity-provider.ts'
import { startOpenidProvider, type TestPerson, type TestProvider } from './openid-provider.ts'

export const origin = 'http://localhost:8080'
export const cookieName = {
  access: 'marketplace_access_8080',
  refresh: 'marketplace_refresh_8080',
  login: 'marketplace_login_8080',
}
export const client = {
  redirectUri: `${origin}/auth/callback`,
  clientId: 'marketplace',
  clientSecret: 'a-client-secret-of-the-tests',
}

const contract = await readContract('users')

/** One process's worth of the service; its sweeps do not run. */
export interface Instance {
  service: Service
  ctx: Context
  internalUrl: string
  rpc: Client<typeof UsersService>
  stop(): Promise<void>
}

export interface Stage {
  database: TestDatabase
  provider: TestProvider
  settings: UsersSettings
  /** The same service again, on the same database, perhaps with other settings. */
  start(changes?: Partial<UsersSettings>): Promise<Instance>
  close(): Promise<void>
}

export async function setStage(): Promise<Stage> {
  const [database, provider] = await Promise.all([testDatabase('users'), startOpenidProvider(client)])
  const keys = await startTestKeys()
  const settings: UsersSettings = {
    ...testSettings(database, keys),
    PUBLIC_ORIGIN: origin,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    SESSION_SECRET: 'a-session-secret-of-the-tests-alone',
    LOGIN_MS: 600_000,
    ACCESS_TOKEN_MS: 300_000,
    REFRESH_TOKEN_MS: 30 * 86_400_000,
    REFRESH_GRACE_MS: 30_000,
    SIGNING_KEY_MS: 86_400_000,
    SIGNING_KEY_LEAD_MS: 600_000,
    SIGNING_KEY_CHECK_MS: 30_000,
    SWEEP_MS: 60_000,
    KEEP_REQUESTS_MS: 60_000,
  }
  const instances: Instance[] = []
  return {
    database,
    provider,
    settings,
    async start(changes = {}) {
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
  const db = openDatabase<UsersTables>(settings.DATABASE_URL, () => undefined)
  const ctx = { db, settings, secrets: deriveSecrets(settings.SESSION_SECRET), provider: openidProvider(settings) }
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

/** A browser at this instance: it keeps cookies as one does. Each answer it gets is held to openapi.json. */
export function openBrowser({ service }: Instance) {
  const cookies = new Map<string, string>()
  async function ask(method: 'GET' | 'POST', url: string, body?: object | string | Buffer, headers = {}) {
    const access = cookies.get(cookieName.access)
    const response = await service.publicApp.inject({
      method,
      url,
      cookies: Object.fromEntries(cookies),
      // As the gateway does.
      headers: { ...(access !== undefined && { authorization: `Bearer ${access}` }), ...headers },
      ...(body !== undefined && { payload: body }),
    })
    expectToMatchContractAt(contract, method, url, response)
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    ask,
    /** Begins a sign-in; answers where the provider is. */
    async begin(): Promise<string> {
      const { redirectUrl } = (await ask('GET', '/api/oauth/google/redirect_url')).json<{ redirectUrl: string }>()
      return redirectUrl
    },
    finish: (code: unknown, more: object = {}) => ask('POST', '/api/sessions', { code, ...more }),
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** The whole way: to the provider and back. */
export async function signIn(instance: Instance, provider: TestProvider, person: TestPerson): Promise<Browser> {
  const browser = openBrowser(instance)
  const answer = await provider.authorize(await browser.begin(), person)
  const response = await browser.finish(answer.get('code'))
  if (response.statusCode !== 201) throw new Error(`Not signed in: ${response.statusCode} ${response.body}`)
  return browser
}

export function person(sub: string, more: Partial<TestPerson> = {}): TestPerson {
  return {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: sub,
    picture: 'https://pictures.example/me.jpg',
    ...more,
  }
}
