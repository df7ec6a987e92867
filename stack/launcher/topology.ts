import { join } from 'node:path'
import { schemas, type SchemaName } from '@marketplace/contracts/services.ts'

/** Every process of the stack except Postgres. */
export const programNames = [...schemas, 'catalog-pictures', 'gateway', 'web', 'identity', 'cards'] as const

export type ProgramName = (typeof programNames)[number]

/** Every program except the web server. */
export const withoutPages = programNames.filter((name) => name !== 'web')
export type Settings = Readonly<Record<string, string | undefined>>

/** The settings of the production chart that differ from the defaults; a test compares them with the chart. */
export const productionSettings = { catalog: { NEW_MEMBER_WINDOW_MS: '604800000' } } as const

export interface ProgramPorts {
  readonly port: number
  readonly internalPort: number
}
export interface Ports {
  readonly postgres: number
  readonly programs: Readonly<Record<ProgramName, ProgramPorts>>
}

/** The addresses and secrets from which the settings of all programs are built. */
export interface Topology {
  readonly dataDir: string
  readonly host: string
  readonly picturesDir: string
  readonly publicOrigin: string
  /** The addresses of a program's public and internal ports. */
  url(name: ProgramName): string
  internalUrl(name: ProgramName): string
  databaseUrl(role: string): string
  /** BUS_DATABASE_URL or KAFKA_BROKERS. */
  readonly bus: Settings
  readonly redis: Settings
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  readonly stripe: {
    readonly secretKey: string
    readonly publishableKey: string
    readonly webhookSecret: string
    readonly apiBase: string | undefined
  }
  readonly internalSecret: string
  readonly sessionSecret: string
  readonly uploadSecret: string
}

const root = join(import.meta.dirname, '../..')

/** Returns the file that a program is started from. */
export function mainOf(name: ProgramName): string {
  if (name === 'identity') return join(root, 'providers/identity/src/main.ts')
  if (name === 'cards') return join(root, 'providers/card-network/src/main.ts')
  if (name === 'catalog-pictures') return join(root, 'services/catalog/src/pictures.main.ts')
  return name === 'web' ? join(root, 'web/server/main.ts') : join(root, 'services', name, 'src/main.ts')
}

/** Returns the settings of a program. The ports are added where the program is started. */
export function settingsOf(name: ProgramName, topology: Topology): Settings {
  const { internalUrl, url, oidc, stripe } = topology
  const database = (schema: SchemaName) => ({ DATABASE_URL: topology.databaseUrl(`${schema}_app`) })
  const service = {
    ...topology.bus,
    INTERNAL_SECRET: topology.internalSecret,
    USERS_INTERNAL_URL: internalUrl('users'),
  }
  const catalog = { CATALOG_INTERNAL_URL: internalUrl('catalog') }
  const auction = { AUCTION_INTERNAL_URL: internalUrl('auction') }
  const origin = { PUBLIC_ORIGIN: topology.publicOrigin }
  const pictures = { PICTURES_ORIGIN: topology.publicOrigin }
  const store = { PICTURES_DIR: topology.picturesDir, UPLOAD_SECRET: topology.uploadSecret }
  const client = { OIDC_CLIENT_ID: oidc.clientId, OIDC_CLIENT_SECRET: oidc.clientSecret }
  const keys = {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  }
  const cardApi = { STRIPE_API_BASE: stripe.apiBase }
  const webhook = { WEBHOOK_URL: `${url('gateway')}/api/stripe/webhook` }
  const table: Record<ProgramName, () => Settings> = {
    users: () => ({
      ...service,
      ...database('users'),
      ...origin,
      ...client,
      OIDC_ISSUER: oidc.issuer,
      SESSION_SECRET: topology.sessionSecret,
    }),
    catalog: () => ({ ...service, ...database('catalog'), ...auction, ...store, ...pictures }),
    'catalog-pictures': () => ({ ...store, ...pictureWorker(topology) }),
    auction: () => ({ ...service, ...database('auction'), ...pictures }),
    payments: () => ({ ...service, ...database('payments'), ...catalog, ...auction, ...keys, ...cardApi, ...pictures }),
    messaging: () => ({ ...service, ...database('messaging'), ...catalog }),
    search: () => ({ ...service, ...database('search'), ...catalog, ...auction, ...topology.redis, ...pictures }),
    gateway: () => ({
      ...service,
      ...origin,
      ...topology.redis,
      ...routesOf(url),
      ...cardApi,
      HOST: topology.host,
      // Other load on a developer's machine delays the event loop, which must not trigger load shedding.
      MAX_EVENT_LOOP_DELAY_MS: '10000',
    }),
    web: () => ({
      ...origin,
      CATALOG_URL: url('catalog'),
      SEARCH_URL: url('search'),
    }),
    identity: () => ({ ...origin, ...client, DATA_DIR: join(topology.dataDir, 'identity') }),
    cards: () => ({ ...keys, ...webhook, DATA_DIR: join(topology.dataDir, 'cards') }),
  }
  return table[name]()
}

function pictureWorker({ databaseUrl }: Topology): Settings {
  return {
    DATABASE_URL: databaseUrl('catalog_pictures'),
    // AVIF takes longer to encode than the other formats together, which would delay the demo data.
    PICTURE_FORMATS: 'webp,jpeg',
    // Two arenas of glibc instead of eight per core: memory freed by the decoder's threads would stay with the process.
    MALLOC_ARENA_MAX: '2',
  }
}

function routesOf(url: Topology['url']): Settings {
  return {
    CATALOG_URL: url('catalog'),
    AUCTION_URL: url('auction'),
    PAYMENTS_URL: url('payments'),
    MESSAGING_URL: url('messaging'),
    SEARCH_URL: url('search'),
    USERS_URL: url('users'),
    WEB_URL: url('web'),
  }
}
