import { openDatabase } from '@marketplace/kit/db.ts'
import type { Service } from '@marketplace/kit/service.ts'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import { paymentsSettings, type PaymentsSettings } from '../config.ts'
import type { Db, PaymentsTables } from '../db.ts'
import { createPaymentsService } from '../service.ts'
import { cardKeys, startCards, type Cards } from './card-network.ts'
import { startFakeUsers, type FakeUsers } from './fake-users.ts'
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

/** Where a listening service answers. */
export function addressOf({ publicApp }: Service): string {
  const address = publicApp.server.address()
  if (address === null || typeof address === 'string') throw new Error('This service does not listen.')
  return `http://127.0.0.1:${address.port}`
}
