import { existsSync } from 'node:fs'
import { durationMs, readSettings } from '@marketplace/kit/config/config.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { z } from 'zod'
import { busRole, reader, type ProvisionOptions } from '../provision/provision.ts'

/**
 * Settings of every command. `provision` and `restore` also read the database URLs of the services and their
 * migrations, such as CATALOG_DATABASE_URL and CATALOG_OWNER_DATABASE_URL, and `timeline` reads LISTING_ID.
 */
export const databaseSettings = z.object({
  /** URL of the marketplace database, for the role `ops_reader` or for an administrator. */
  DATABASE_URL: z.url(),
})

/** Additional settings of `verify-invariants`. If METRICS_PORT is set, the command exports metrics until it is stopped. */
export const invariantSettings = databaseSettings.extend({
  /** Secret key for Stripe, or for the simulated Stripe API at STRIPE_API_BASE. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** URL that is used instead of Stripe's API. */
  STRIPE_API_BASE: z.url().optional(),
  /** Path of a load test's journal: a file with one line of JSON for each response that the load test received. */
  JOURNAL: z.string().refine(existsSync, 'is not a file').optional(),
  /**
   * Limit for the total of a first-time buyer's leading bids and unpaid wins, in cents. Set it to the auction service's
   * limit if that service overrides the default.
   */
  MAX_FIRST_PURCHASE_EXPOSURE_CENTS: z.coerce.number().int().min(0).optional(),
  /** Port for Prometheus metrics; if it is set, the invariants are checked periodically instead of once. */
  METRICS_PORT: z.coerce.number().int().positive().optional(),
  /** Interval of the checks with METRICS_PORT, in milliseconds. */
  CHECK_EVERY_MS: durationMs.default(60_000),
  /** Maximum duration of the shutdown. */
  SHUTDOWN_TIMEOUT_MS: durationMs.default(25_000),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

export type InvariantSettings = z.output<typeof invariantSettings>

// Maps each database role to the name of the setting that contains its connection URL.
const settingOfRole: Readonly<Record<string, string>> = Object.fromEntries([
  ...schemas.flatMap((schema) => [
    [`${schema}_app`, `${schema.toUpperCase()}_DATABASE_URL`],
    [`${schema}_owner`, `${schema.toUpperCase()}_OWNER_DATABASE_URL`],
  ]),
  ['catalog_pictures', 'CATALOG_PICTURES_DATABASE_URL'],
  [reader, 'OPS_DATABASE_URL'],
])

/**
 * Reads the database name and each role's password from the URLs with which services and migrations connect, so that
 * each password is configured only once. `busRole` has a password only if BUS_DATABASE_URL is set. Throws if a URL has
 * an unexpected role, or if the URLs name different databases.
 */
export function readRoles(environment: NodeJS.ProcessEnv): ProvisionOptions {
  const given = environment['BUS_DATABASE_URL'] ? { ...settingOfRole, [busRole]: 'BUS_DATABASE_URL' } : settingOfRole
  const urls = readSettings(
    z.object(Object.fromEntries(Object.values(given).map((name) => [name, z.url()]))),
    environment,
  )
  const databases = new Set<string>()
  const passwords: Record<string, string> = {}
  for (const [role, setting] of Object.entries(given)) {
    const { username, password, pathname } = new URL(urls[setting] ?? '')
    if (decodeURIComponent(username) !== role) throw new Error(`${setting} must be a URL of the role ${role}.`)
    passwords[role] = decodeURIComponent(password)
    databases.add(decodeURIComponent(pathname.slice(1)))
  }
  const [database = '', ...others] = databases
  if (others.length > 0) throw new Error(`The URLs name more than one database: ${[database, ...others].join(', ')}.`)
  return { services: schemas, database, passwords }
}
