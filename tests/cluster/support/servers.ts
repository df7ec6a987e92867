import { randomBytes } from 'node:crypto'
import { reader, roleUrl, rolesOf } from '@marketplace/ops/provision/provision.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { helm } from './kubectl.ts'
import { putSecret } from './namespace.ts'
import { createVolumes } from './volumes.ts'

const password = () => randomBytes(18).toString('base64url')

/** Installs Postgres, Kafka and Redis in the cluster, and creates the Secrets of the services; not the database. */
export async function installServers(): Promise<void> {
  const admin = password()
  const adminUrl = `postgres://postgres:${admin}@postgres:5432/postgres`
  await putSecret('postgres-admin', { password: admin, url: adminUrl })
  await createVolumes()
  const chart = ['deploy/helm/servers', '--set', 'storage=1Gi']
  await helm('upgrade', '--install', 'servers', ...chart, '--wait', '--timeout', '5m')
  const passwords = Object.fromEntries(rolesOf(schemas).map((role) => [role, password()]))
  const options = { services: schemas, database: 'marketplace', passwords }
  for (const schema of schemas) {
    await putSecret(`${schema}-database`, { url: roleUrl(adminUrl, options, `${schema}_app`) })
    await putSecret(`${schema}-database-owner`, { url: roleUrl(adminUrl, options, `${schema}_owner`) })
  }
  await putSecret('catalog-pictures-database', { url: roleUrl(adminUrl, options, 'catalog_pictures') })
  await putSecret('ops-database', { url: roleUrl(adminUrl, options, reader) })
  await putSecret('marketplace-redis', { url: 'redis://redis:6379' })
  await putSecret('marketplace-internal', { secret: password() })
  await putSecret('users-session', { secret: randomBytes(32).toString('base64url') })
}
