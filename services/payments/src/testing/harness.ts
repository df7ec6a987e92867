import type { Service } from '@marketplace/kit/app/service.ts'
import { openTestPool, testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { startTestKeys, type TestKeys } from '@marketplace/testing/keys.ts'
import { testSettings } from '@marketplace/testing/settings.ts'
import { paymentsSettings, type PaymentsSettings } from '../config.ts'
import type { Db, PaymentsTables } from '../db.ts'
import { createPaymentsService } from '../service.ts'
import { cardKeys, startCardNetwork, type FakeCardNetwork } from './fake-card-network.ts'
import { startFakeUsers, type FakeUsers } from './fake-users.ts'
import { startFakeInventory, type FakeInventory } from './fake-inventory.ts'

/** A payments service with the local card network, a real Postgres and fake neighbors. */
export interface Harness {
  database: TestDatabase
  /** Connected as the owner of the schema, to read rows and shift their timestamps. */
  db: Db
  cards: FakeCardNetwork
  catalog: FakeInventory
  auction: FakeInventory
  keys: TestKeys
  users: FakeUsers
  /** Opens another process on the same database. */
  open(settings?: Partial<PaymentsSettings>): Service
  /** Opens and starts another process: HTTP, sweeper, relay and consumers. */
  start(settings?: Partial<PaymentsSettings>): Promise<Service>
  close(service: Service): Promise<void>
  stop(): Promise<void>
}

// The timeouts are long enough for a busy machine. Tests of expired deadlines set shorter timeouts.
const generousTimeouts = {
  HOLD_TIMEOUT_MS: 60_000,
  SETTLE_TIMEOUT_MS: 60_000,
  PROFILES_TIMEOUT_MS: 60_000,
  PROVIDER_TIMEOUT_MS: 60_000,
}

export async function createHarness(): Promise<Harness> {
  const [database, keys, cards, catalog, auction] = await Promise.all([
    testDatabase('payments'),
    startTestKeys(),
    startCardNetwork(),
    startFakeInventory(),
    startFakeInventory(),
  ])
  const users = await startFakeUsers(keys)
  const db = openTestPool<PaymentsTables>(database.ownerUrl)
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
        ...generousTimeouts,
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

/** Returns the base URL of a listening service. */
export function addressOf({ publicApp }: Service): string {
  const address = publicApp.server.address()
  if (address === null || typeof address === 'string') throw new Error('This service does not listen.')
  return `http://127.0.0.1:${address.port}`
}
