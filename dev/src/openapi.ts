// Writes services/<name>/openapi.json from the routes of the service itself; nothing is started or connected.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as auctionConfig from '../../services/auction/src/config.ts'
import { createAuctionService } from '../../services/auction/src/service.ts'
import * as catalogConfig from '../../services/catalog/src/config.ts'
import { createCatalogService } from '../../services/catalog/src/service.ts'
import * as messagingConfig from '../../services/messaging/src/config.ts'
import { createMessagingService } from '../../services/messaging/src/service.ts'
import * as paymentsConfig from '../../services/payments/src/config.ts'
import { createPaymentsService } from '../../services/payments/src/service.ts'
import * as searchConfig from '../../services/search/src/config.ts'
import { createSearchService } from '../../services/search/src/service.ts'
import * as usersConfig from '../../services/users/src/config.ts'
import { createUsersService } from '../../services/users/src/service.ts'
import { root } from './run.ts'

const address = 'http://127.0.0.1:1'
const secret = 'x'.repeat(32)

// Values that pass the settings' checks; the documents do not depend on them.
Object.assign(process.env, {
  PORT: '0',
  INTERNAL_PORT: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  BUS_DATABASE_URL: 'postgres://127.0.0.1:1/none',
  INTERNAL_SECRET: secret,
  SESSION_SECRET: secret,
  PUBLIC_ORIGIN: address,
  USERS_INTERNAL_URL: address,
  CATALOG_INTERNAL_URL: address,
  AUCTION_INTERNAL_URL: address,
  OIDC_ISSUER: address,
  OIDC_CLIENT_ID: 'none',
  OIDC_CLIENT_SECRET: secret,
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
})

const services = {
  auction: createAuctionService(auctionConfig.readConfig()),
  catalog: createCatalogService(catalogConfig.readConfig()),
  messaging: createMessagingService(messagingConfig.readConfig()),
  payments: createPaymentsService(paymentsConfig.readConfig()),
  search: createSearchService(searchConfig.readConfig()),
  users: createUsersService(usersConfig.readConfig()),
}

for (const [name, { publicApp }] of Object.entries(services)) {
  await publicApp.ready()
  await writeFile(join(root, `services/${name}/openapi.json`), `${JSON.stringify(publicApp.swagger(), null, 2)}\n`)
}
process.exit(0)
