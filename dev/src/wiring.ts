import { join } from 'node:path'

/** Each has a schema, two roles and migrations of its own. */
export const SCHEMAS = ['users', 'catalog', 'auction', 'payments', 'messaging', 'search'] as const
/** Every process of the stack but Postgres. */
export const PROGRAMS = [...SCHEMAS, 'gateway', 'web', 'identity', 'cards'] as const

export type SchemaName = (typeof SCHEMAS)[number]
export type ProgramName = (typeof PROGRAMS)[number]

/** Everything but the pages. */
export const withoutPages = PROGRAMS.filter((name) => name !== 'web')
export type Settings = Readonly<Record<string, string | undefined>>
export type ProgramPorts = { readonly port: number; readonly internalPort: number }
export type Ports = { readonly postgres: number; readonly programs: Readonly<Record<ProgramName, ProgramPorts>> }

/** What the table below is filled in from. */
export type Places = {
  readonly dataDir: string
  readonly host: string
  readonly picturesDir: string
  readonly publicOrigin: string
  /** The address of a program's public and internal port. */
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
}

const root = join(import.meta.dirname, '../..')

/** The file that each program is started from. */
export function mainOf(name: ProgramName): string {
  if (name === 'identity' || name === 'cards') return join(root, 'dev/src', name, 'main.ts')
  return name === 'web' ? join(root, 'web/server/main.ts') : join(root, 'services', name, 'src/main.ts')
}

/** Who gets which settings; the ports are added where the program is started. */
export function settingsOf(name: ProgramName, places: Places): Settings {
  const { internalUrl, url, oidc, stripe } = places
  const database = (schema: SchemaName) => ({ DATABASE_URL: places.databaseUrl(`${schema}_app`) })
  const service = { ...places.bus, INTERNAL_SECRET: places.internalSecret, USERS_INTERNAL_URL: internalUrl('users') }
  const catalog = { CATALOG_INTERNAL_URL: internalUrl('catalog') }
  const auction = { AUCTION_INTERNAL_URL: internalUrl('auction') }
  const origin = { PUBLIC_ORIGIN: places.publicOrigin }
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
      SESSION_SECRET: places.sessionSecret,
    }),
    catalog: () => ({ ...service, ...database('catalog'), ...auction }),
    auction: () => ({ ...service, ...database('auction') }),
    payments: () => ({ ...service, ...database('payments'), ...catalog, ...auction, ...keys, ...cardApi }),
    messaging: () => ({ ...service, ...database('messaging'), ...catalog }),
    search: () => ({ ...service, ...database('search'), ...catalog, ...auction, ...places.redis }),
    gateway: () => ({
      ...service,
      ...origin,
      ...places.redis,
      ...routesOf(url),
      ...cardApi,
      HOST: places.host,
      // What else a machine does that has all of this on it says nothing of the shop's own load.
      BUSY_MS: '10000',
    }),
    web: () => ({
      ...origin,
      CATALOG_URL: url('catalog'),
      SEARCH_URL: url('search'),
      DEMO_PICTURES_DIR: places.picturesDir,
    }),
    identity: () => ({ ...origin, ...client, DATA_DIR: join(places.dataDir, 'identity') }),
    cards: () => ({ ...keys, ...webhook, DATA_DIR: join(places.dataDir, 'cards') }),
  }
  return table[name]()
}

function routesOf(url: Places['url']): Settings {
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
