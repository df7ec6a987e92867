import { readSettings } from '@marketplace/kit/config/config.ts'
import { provision as createRoles, rolesOf } from '../provision/provision.ts'
import type { Command } from './command.ts'
import { databaseSettings, readRoles } from './settings.ts'

/**
 * Creates database, schemas, roles and grants with the passwords of the URLs of services and migrations. Idempotent: run it
 * again after a change of passwords. DATABASE_URL is an administrator's.
 */
export const provision: Command = async (_args, environment) => {
  const { DATABASE_URL: adminUrl } = readSettings(databaseSettings, environment)
  const options = readRoles(environment)
  await createRoles(adminUrl, options)
  const roles = rolesOf(options.services).length
  process.stdout.write(`The database ${options.database} has ${options.services.length} schemas and ${roles} roles.\n`)
  return 0
}
