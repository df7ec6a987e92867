import { readSettings } from '@marketplace/kit/config/config.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { z } from 'zod'
import { busRole, reader, type ProvisionOptions } from '../provision/provision.ts'

/**
 * The settings of every command. DATABASE_URL is the URL of the marketplace database for the role `ops_reader` or for
 * an administrator.
 */
export const databaseSettings = z.object({ DATABASE_URL: z.url() })

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
