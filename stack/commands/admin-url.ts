import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { adminUrl } from '../servers/postgres/server.ts'
import { StartError } from '../launcher/start-error.ts'

const Ports = z.object({ postgres: z.number() })

/**
 * Returns the admin's URL of the marketplace database: DATABASE_URL, or that of the stack that runs in DATA_DIR. Throws
 * StartError when neither exists.
 */
export function resolveAdminUrl(environment: NodeJS.ProcessEnv = process.env): string {
  const { DATABASE_URL: given, DATA_DIR: dataDir = '.data' } = environment
  if (given) return given
  const [ports, password] = [join(dataDir, 'ports.json'), join(dataDir, 'postgres/admin-password')]
  if (!existsSync(ports) || !existsSync(password))
    throw new StartError(
      `No marketplace runs in ${dataDir}: start one there, or set DATABASE_URL to the admin's URL of its database.`,
    )
  const { postgres } = Ports.parse(JSON.parse(readFileSync(ports, 'utf8')))
  const url = new URL(adminUrl(postgres, readFileSync(password, 'utf8')))
  url.pathname = '/marketplace'
  return url.href
}
