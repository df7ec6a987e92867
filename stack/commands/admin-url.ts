import { readAdminUrl, withDatabase } from '../launcher/database.ts'

/**
 * Returns the admin's URL of the marketplace database: on the server of DATABASE_URL if it is set, otherwise that of
 * the stack that runs in DATA_DIR. Throws StartError when none runs there.
 */
export function resolveAdminUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const { DATABASE_URL: given, DATA_DIR: dataDir = '.data' } = environment
  // `npm start` creates this database, whichever one the given URL names.
  return given ? withDatabase(given, 'marketplace') : readAdminUrl(dataDir)
}
