import { randomBytes } from 'node:crypto'
import { provision, roleUrl, rolesOf } from '@marketplace/ops/provision/provision.ts'
import { schemas } from '@marketplace/contracts/services.ts'
import { clusterIp, helm } from './kubectl.ts'
import { putSecret } from './namespace.ts'
import { createVolumes } from './volumes.ts'

const password = () => randomBytes(18).toString('base64url')

/** Installs Postgres, Kafka and Redis in the cluster, with database, schemas, roles and the services' Secrets. */
export async function installServers(): Promise<void> {
  const admin = password()
  await putSecret('postgres-admin', { password: admin })
  await createVolumes()
  const chart = ['deploy/helm/servers', '--set', 'storage=1Gi']
  await helm('upgrade', '--install', 'servers', ...chart, '--wait', '--timeout', '5m')
  const passwords = Object.fromEntries(rolesOf(schemas).map((role) => [role, password()]))
  const options = { services: schemas, database: 'marketplace', passwords }
  await provision(`postgres://postgres:${admin}@${await clusterIp('postgres')}:5432/postgres`, options)
  const inside = `postgres://postgres:${admin}@postgres:5432/postgres`
  for (const schema of schemas) {
    await putSecret(`${schema}-database`, { url: roleUrl(inside, options, `${schema}_app`) })
    await putSecret(`${schema}-database-owner`, { url: roleUrl(inside, options, `${schema}_owner`) })
  }
  await putSecret('catalog-pictures-database', { url: roleUrl(inside, options, 'catalog_pictures') })
  await putSecret('marketplace-redis', { url: 'redis://redis:6379' })
  await putSecret('marketplace-internal', { secret: password() })
  await putSecret('users-session', { secret: randomBytes(32).toString('base64url') })
}
