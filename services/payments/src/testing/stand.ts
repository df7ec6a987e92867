import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { openDatabase } from '@marketplace/kit/db.ts'
import { serveRpc } from '@marketplace/kit/rpc.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys, type TestKeys, type TestUser } from '@marketplace/testing/keys.ts'
import { testSecret, testSettings } from '@marketplace/testing/settings.ts'
import fastify from 'fastify'
import { paymentsSettings, type PaymentsSettings } from '../config.ts'
import type { Db, PaymentsTables } from '../db.ts'
import { createPaymentsService } from '../service.ts'
import { cardKeys, startCards, type Cards } from './card-network.ts'
import { startFakeOwner, type FakeOwner } from './fake-owner.ts'

/** A payments service among real cards, a real Postgres, and neighbours by contract. */
export interface Stand {
  database: TestDatabase
  /** As the schema's owner: looks at rows, and moves time by moving them. */
  db: Db
  cards: Cards
  catalog: FakeOwner
  auction: FakeOwner
  keys: TestKeys
  users: FakeUsers
  /** One more process on the same database. */
  open(settings?: Partial<PaymentsSettings>): Service
  /** The same, listening, with its sweeper, relay and consumers. */
  start(settings?: Partial<PaymentsSettings>): Promise<Service>
  /** Ends one process. */
  close(service: Service): Promise<void>
  stop(): Promise<void>
}

// Deadlines that a busy machine does not miss; what happens when they pass is tested with shorter ones.
const patient = {
  HOLD_TIMEOUT_MS: 10_000,
  SETTLE_TIMEOUT_MS: 10_000,
  PROFILES_TIMEOUT_MS: 10_000,
  PROVIDER_TIMEOUT_MS: 15_000,
}

export async function startStand(): Promise<Stand> {
  const [database, keys, cards, catalog, auction] = await Promise.all([
    testDatabase('payments'),
    startTestKeys(),
    startCards(),
    startFakeOwner(),
    startFakeOwner(),
  ])
  const users = await startFakeUsers(keys)
  const db = openDatabase<PaymentsTables>(database.ownerUrl, () => {})
  const services = new Set<Service>()
  const open = (settings: Partial<PaymentsSettings> = {}) => {
    const service = createPaymentsService({
      ...paymentsSettings.parse({
        ...testSettings(database, keys),
        ...cardKeys,
        REUSE_PORT: 'false',
        CATALOG_INTERNAL_URL: catalog.url,
        AUCTION_INTERNAL_URL: auction.url,
        USERS_INTERNAL_URL: users.url,
        STRIPE_API_BASE: cards.url,
        ...patient,
      }),
      ...settings,
    })
    services.add(service)
    return service
  }
  const close = async (service: Service) => {
    services.delete(service)
    await service.stop()
  }
  return {
    database,
    db,
    cards,
    catalog,
    auction,
    keys,
    users,
    open,
    async start(settings) {
      const service = open(settings)
      await service.start()
      return service
    },
    close,
    async stop() {
      await Promise.all([...services].map(close))
      await db.destroy()
      await Promise.all([cards.stop(), catalog.stop(), auction.stop(), users.stop(), keys.stop()])
      await database.drop()
    },
  }
}

export interface Intent {
  payment_intent_id: string
  client_secret: string
}

/** An answer of the public port; the fields that tests use by name are texts. */
export interface Answer<Body = Record<string, string>> {
  status: number
  body: Body
}

export async function call<Body = Record<string, string>>(
  stand: Stand,
  service: Service,
  user: TestUser | null,
  [method, url, payload]: ['GET' | 'POST', string, object?],
): Promise<Answer<Body>> {
  const headers = user ? await stand.keys.authorization(user) : {}
  const response = await service.publicApp.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return { status: response.statusCode, body: response.json<Body>() }
}

/** Presses Buy Now. */
export function buy(stand: Stand, service: Service, user: TestUser | null, listingId: string): Promise<Answer> {
  const body = { listing_id: listingId, transaction_type: 'buy_now' }
  return call(stand, service, user, ['POST', '/api/payments/create-intent', body])
}

export function confirm(stand: Stand, service: Service, user: TestUser | null, intent: Intent): Promise<Answer> {
  const { payment_intent_id } = intent
  return call(stand, service, user, ['POST', '/api/payments/confirm', { payment_intent_id }])
}

export function cancel(stand: Stand, service: Service, user: TestUser | null, intent: Intent): Promise<Answer> {
  const { payment_intent_id } = intent
  return call(stand, service, user, ['POST', '/api/payments/cancel', { payment_intent_id }])
}

/** A checkout that must succeed. */
export async function openCheckout(stand: Stand, service: Service, user: TestUser, listingId: string): Promise<Intent> {
  const { status, body } = await buy(stand, service, user, listingId)
  if (status !== 201) throw new Error(`No checkout: ${status} ${JSON.stringify(body)}`)
  const { payment_intent_id = '', client_secret = '' } = body
  return { payment_intent_id, client_secret }
}

interface FakeUsers {
  url: string
  names: Map<string, string>
  /** When true no call is answered. */
  isSilent: boolean
  stop(): Promise<void>
}

async function startFakeUsers(keys: TestKeys): Promise<FakeUsers> {
  const server = fastify({ forceCloseConnections: true })
  server.get('/jwks.json', async () => (await fetch(`${keys.usersInternalUrl}/jwks.json`)).json())
  serveRpc(server, testSecret, (router) => {
    router.service(UsersService, {
      async getProfiles({ userIds }) {
        if (users.isSilent) await new Promise(() => {})
        const known = userIds.filter((userId) => users.names.has(userId))
        return { profiles: known.map((userId) => ({ userId, name: users.names.get(userId) ?? '', picture: '' })) }
      },
    })
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const users: FakeUsers = { url, names: new Map(), isSilent: false, stop: () => server.close() }
  return users
}
