import type { Service } from '@marketplace/kit/service.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { expectToMatchContractAt, readContract } from '@marketplace/testing/contract.ts'
import { testDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import type { MessagingSettings } from '../config.ts'
import type { Db, MessagingTables } from '../db.ts'
import { createMessagingService } from '../service.ts'
import { addListing, addPerson, noNeighbours, startCatalog, startUsers, type Neighbours } from './neighbours.ts'

const contract = await readContract('messaging')

interface Answer<Body> {
  status: number
  body: Body
}

interface Refusal {
  error: string
  code: string
}

interface More {
  as?: TestUser | undefined
  body?: object | string | undefined
  headers?: Record<string, string>
  at?: Service | undefined
}

export interface Stage extends Neighbours {
  settings: MessagingSettings
  service: Service
  /** A person whom users knows. */
  person(name: string): TestUser
  /** A listing of this seller, in catalog. */
  listing(seller: TestUser, isActive?: boolean): string
  get<Body = Refusal>(url: string, as?: TestUser, service?: Service): Promise<Answer<Body>>
  post<Body = Refusal>(url: string, body?: object, as?: TestUser, service?: Service): Promise<Answer<Body>>
  /** Any request; each answer, here and above, is held to openapi.json. */
  ask<Body = Refusal>(method: 'GET' | 'POST', url: string, more?: More): Promise<Answer<Body>>
  /** Another process of the service, perhaps with other settings. */
  start(changes?: Partial<MessagingSettings>): Service
  db: Db
  close(): Promise<void>
}

export async function setStage(): Promise<Stage> {
  const neighbours = noNeighbours()
  const [database, keys] = await Promise.all([testDatabase('messaging'), startTestKeys()])
  const [catalog, users] = await Promise.all([startCatalog(neighbours), startUsers(neighbours, keys)])
  const settings: MessagingSettings = {
    ...testSettings(database, keys),
    CATALOG_INTERNAL_URL: catalog.url,
    USERS_INTERNAL_URL: users.url,
    READ_LISTING_MS: 3000,
    READ_PROFILES_MS: 2000,
    KEEP_PROFILES_MS: 60_000,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_MODEL: 'a-model',
    CHAT_MS: 3000,
    CHAT_CALLS_AT_ONCE: 8,
  }
  const services: Service[] = []
  const start: Stage['start'] = (changes = {}) => {
    const service = createMessagingService({ ...settings, ...changes })
    services.push(service)
    return service
  }
  const service = start()
  const db = openDatabase<MessagingTables>(database.url, () => undefined)

  async function ask(method: 'GET' | 'POST', url: string, { as, body, headers = {}, at = service }: More = {}) {
    const authorization = as ? await keys.authorization(as) : {}
    const payload = body === undefined ? {} : { payload: body }
    const response = await at.publicApp.inject({ method, url, headers: { ...authorization, ...headers }, ...payload })
    expectToMatchContractAt(contract, method, url, response)
    return { status: response.statusCode, body: response.json() }
  }

  return {
    ...neighbours,
    settings,
    service,
    person: (name) => addPerson(neighbours, name),
    listing: (seller, isActive = true) => addListing(neighbours, seller, isActive),
    get: (url, as, at) => ask('GET', url, { as, at }),
    post: (url, body, as, at) => ask('POST', url, { as, body, at }),
    ask,
    start,
    db,
    async close() {
      await db.destroy()
      await Promise.all(services.map((one) => one.stop()))
      await Promise.all([keys.stop(), catalog.stop(), users.stop()])
      await database.drop()
    },
  }
}
