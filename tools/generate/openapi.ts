// `node tools/generate/openapi.ts catalog` writes services/catalog/openapi.json from the service's routes, without
// starting or connecting anything. Each service needs a separate process, since zod registers schema names per process.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from '@marketplace/kit/app/service.ts'
import { root } from '../run/run.ts'

const address = 'http://127.0.0.1:1'
const secret = 'x'.repeat(32)

// Values that pass validation; the documents do not depend on them.
Object.assign(process.env, {
  PORT: '0',
  INTERNAL_PORT: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  BUS_DATABASE_URL: 'postgres://127.0.0.1:1/none',
  INTERNAL_SECRET: secret,
  PICTURES_DIR: '/tmp/none',
  UPLOAD_SECRET: secret,
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

const services: Record<string, () => Promise<Service>> = {
  async auction() {
    const { createAuctionService } = await import('@marketplace/auction/src/service.ts')
    return createAuctionService((await import('@marketplace/auction/src/config.ts')).readConfig())
  },
  async catalog() {
    const { createCatalogService } = await import('@marketplace/catalog/src/service.ts')
    return createCatalogService((await import('@marketplace/catalog/src/config.ts')).readConfig())
  },
  async messaging() {
    const { createMessagingService } = await import('@marketplace/messaging/src/service.ts')
    return createMessagingService((await import('@marketplace/messaging/src/config.ts')).readConfig())
  },
  async payments() {
    const { createPaymentsService } = await import('@marketplace/payments/src/service.ts')
    return createPaymentsService((await import('@marketplace/payments/src/config.ts')).readConfig())
  },
  async search() {
    const { createSearchService } = await import('@marketplace/search/src/service.ts')
    return createSearchService((await import('@marketplace/search/src/config.ts')).readConfig())
  },
  async users() {
    const { createUsersService } = await import('@marketplace/users/src/service.ts')
    return createUsersService((await import('@marketplace/users/src/config.ts')).readConfig())
  },
}

const name = process.argv[2] ?? ''
const open = services[name]
if (!open) throw new Error(`A service is required: ${Object.keys(services).join(', ')}.`)
const { publicApp } = await open()
await publicApp.ready()
await writeFile(join(root, `services/${name}/openapi.json`), `${JSON.stringify(publicApp.swagger(), null, 2)}\n`)
process.exit(0)
