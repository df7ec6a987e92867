import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { roleUrl } from '@marketplace/ops/provision/provision.ts'
import { readAdminUrl } from './database.ts'
import { StartError } from './start-error.ts'
import { settingsOf, type ProgramName, type Settings } from './topology.ts'
import { schemas, type SchemaName } from '@marketplace/contracts/services.ts'
import { Secrets } from './data-dir.ts'
import { topologyOf } from '../processes/programs.ts'

const Ports = z.record(z.string(), z.number())

/**
 * Returns the settings of one service of the stack in this folder, to run a command of that service beside it.
 * `databaseUrl` is an admin's URL of another server than that of the stack. Throws StartError when no stack runs there.
 */
export function settingsOfRunning(dataDir: string, name: SchemaName, databaseUrl?: string): Settings {
  const path = resolve(dataDir)
  if (!existsSync(join(path, 'ports.json'))) throw new StartError(`No marketplace runs in ${path}.`)
  const secrets = Secrets.parse(JSON.parse(readFileSync(join(path, 'secrets.json'), 'utf8')))
  const known = Ports.parse(JSON.parse(readFileSync(join(path, 'ports.json'), 'utf8')))
  const portOf = (key: string) => known[key] ?? 0
  const both = (program: ProgramName) => ({ port: portOf(program), internalPort: portOf(`${program}.internal`) })
  const rights = { services: schemas, database: 'marketplace', passwords: secrets.databasePasswords }
  const server = databaseUrl || readAdminUrl(path)
  const topology = topologyOf(
    {
      options: { port: 0, dataDir },
      dataDir: { path, secrets },
      ports: { postgres: portOf('postgres'), programs: programsOf(both) },
      origin: 'http://localhost',
    },
    (role) => roleUrl(server, rights, role),
  )
  // The command does not listen on a port.
  return { ...settingsOf(name, topology), PORT: '0', INTERNAL_PORT: '0' }
}

function programsOf<Value>(valueOf: (name: ProgramName) => Value): Readonly<Record<ProgramName, Value>> {
  return {
    users: valueOf('users'),
    catalog: valueOf('catalog'),
    'catalog-pictures': valueOf('catalog-pictures'),
    auction: valueOf('auction'),
    payments: valueOf('payments'),
    messaging: valueOf('messaging'),
    search: valueOf('search'),
    gateway: valueOf('gateway'),
    web: valueOf('web'),
    identity: valueOf('identity'),
    cards: valueOf('cards'),
  }
}
