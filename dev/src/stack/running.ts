import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { roleUrl } from '../provision.ts'
import { StartError } from '../start-error.ts'
import { SCHEMAS, settingsOf, type ProgramName, type SchemaName, type Settings } from '../wiring.ts'
import { Secrets } from './data-dir.ts'
import { placesOf } from './programs.ts'

const Ports = z.record(z.string(), z.number())

/**
 * The settings of one service of the stack that runs in this folder, to run a command of that service beside it.
 * `databaseUrl` is an admin's, for a stack on a Postgres that is not its own.
 */
export function settingsOfRunning(dataDir: string, name: SchemaName, databaseUrl?: string): Settings {
  const path = resolve(dataDir)
  if (!existsSync(join(path, 'ports.json'))) throw new StartError(`There is no marketplace in ${path}.`)
  const secrets = Secrets.parse(JSON.parse(readFileSync(join(path, 'secrets.json'), 'utf8')))
  const known = Ports.parse(JSON.parse(readFileSync(join(path, 'ports.json'), 'utf8')))
  const portOf = (key: string) => known[key] ?? 0
  const both = (program: ProgramName) => ({ port: portOf(program), internalPort: portOf(`${program}.internal`) })
  const rights = { services: SCHEMAS, database: 'marketplace', passwords: secrets.databasePasswords }
  const server = databaseUrl || `postgres://127.0.0.1:${portOf('postgres')}/postgres`
  const places = placesOf(
    {
      options: { port: 0, dataDir },
      dataDir: { path, secrets },
      ports: { postgres: portOf('postgres'), programs: programsOf(both) },
      origin: 'http://localhost',
    },
    (role) => roleUrl(server, rights, role),
  )
  // It listens to nobody.
  return { ...settingsOf(name, places), PORT: '0', INTERNAL_PORT: '0' }
}

function programsOf<Value>(valueOf: (name: ProgramName) => Value): Readonly<Record<ProgramName, Value>> {
  return {
    users: valueOf('users'),
    catalog: valueOf('catalog'),
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
