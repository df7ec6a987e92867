import type { Service } from '@marketplace/kit/app/service.ts'
import { expectToMatchContractAt, readContract } from '@marketplace/testing/contract.ts'
import { openTestPool, testDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import type { MessagingSettings } from '../config.ts'
import type { Db, MessagingTables } from '../db.ts'
import { createMessagingService } from '../service.ts'
import { addListing, addUser, createFakes, startFakeCatalog, startFakeUsers, type Fakes } from './fakes.ts'

const contract = await readContract('messaging')

interface ApiResponse<Body> {
  status: number
  body: Body
  /** URL of the next page. */
  next: string | undefined
}

interface ErrorBody {
  error: string
  code: string
}

interface RequestOptions {
  as?: TestUser | undefined
  body?: object | string | undefined
  headers?: Record<string, string>
  at?: Service | undefined
}

export interface Harness extends Fakes {
  settings: MessagingSettings
  service: Service
  /** Adds a user to the fake users service. */
  addUser(name: string): TestUser
  /** Adds a listing of this seller to the fake catalog service. */
  addListing(seller: TestUser, isActive?: boolean): string
  get<Body = ErrorBody>(url: string, as?: TestUser, service?: Service): Promise<ApiResponse<Body>>
  post<Body = ErrorBody>(url: string, body?: object, as?: TestUser, service?: Service): Promise<ApiResponse<Body>>
  /** Sends any request. Validates every response, also of `get` and `post`, against openapi.json. */
  request<Body = ErrorBody>(method: 'GET' | 'POST', url: string, options?: RequestOptions): Promise<ApiResponse<Body>>
  /** Creates another process of the service, optionally with other settings. */
  createInstance(changes?: Partial<MessagingSettings>): Service
  db: Db
  close(): Promise<void>
}

export async function createHarness(): Promise<Harness> {
  const fakes = createFakes()
  const [database, keys] = await Promise.all([testDatabase('messaging'), startTestKeys()])
  const [catalog, users] = await Promise.all([startFakeCatalog(fakes), startFakeUsers(fakes, keys)])
  const settings: MessagingSettings = {
    ...testSettings(database, keys),
    CATALOG_INTERNAL_URL: catalog.url,
    USERS_INTERNAL_URL: users.url,
    LISTINGS_TIMEOUT_MS: 3000,
    PROFILES_TIMEOUT_MS: 2000,
    PROFILES_TTL_MS: 60_000,
    MAX_CONVERSATIONS_PER_DAY: 50,
    MAX_MESSAGES_PER_DAY: 500,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_MODEL: 'gpt-6-luna',
    MODEL_CHECK_TIMEOUT_MS: 5000,
    CHAT_TIMEOUT_MS: 60_000,
    CHAT_CALLS_AT_ONCE: 8,
    MAX_CHAT_CALLS_PER_HOUR: 1000,
  }
  const services: Service[] = []
  const createInstance: Harness['createInstance'] = (changes = {}) => {
    const service = createMessagingService({ ...settings, ...changes })
    services.push(service)
    return service
  }
  const service = createInstance()
  const db = openTestPool<MessagingTables>(database.url)

  async function request(
    method: 'GET' | 'POST',
    url: string,
    { as, body, headers = {}, at = service }: RequestOptions = {},
  ) {
    const authorization = as ? await keys.authorization(as) : {}
    const payload = body === undefined ? {} : { payload: body }
    const response = await at.publicApp.inject({ method, url, headers: { ...authorization, ...headers }, ...payload })
    expectToMatchContractAt(contract, method, url, response)
    const next = /^<(.+)>; rel="next"$/.exec(String(response.headers['link']))?.[1]
    return { status: response.statusCode, body: response.json(), next }
  }

  return {
    ...fakes,
    settings,
    service,
    addUser: (name) => addUser(fakes, name),
    addListing: (seller, isActive = true) => addListing(fakes, seller, isActive),
    get: (url, as, at) => request('GET', url, { as, at }),
    post: (url, body, as, at) => request('POST', url, { as, body, at }),
    request,
    createInstance,
    db,
    async close() {
      await db.destroy()
      await Promise.all(services.map((one) => one.stop()))
      await Promise.all([keys.stop(), catalog.stop(), users.stop()])
      await database.drop()
    },
  }
}
