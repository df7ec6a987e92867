import { readSettings } from '@marketplace/kit/config/config.ts'
import { provision as createRoles, rolesOf } from '../provision/provision.ts'
import type { Command } from './command.ts'
import { databaseSettings, readRoles } from './settings.ts'

/**
 * Creates the database, schemas, roles and grants. DATABASE_URL must be the URL of an administrator. The password of each
 * role is read from the URL with which the role connects (see readRoles). Can be run again, for example after a password was
 * changed.
 */
export const provision: Command = async (_args, environment) => {
  const { DATABASE_URL: adminUrl } = readSettings(databaseSettings, environment)
  const options = readRoles(environment)
  await createRoles(adminUrl, options)
  const roles = rolesOf(options.services).length
  process.stdout.write(`The database ${options.database} has ${options.services.length} schemas and ${roles} roles.\n`)
  return 0
}
