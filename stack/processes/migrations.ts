import { join } from 'node:path'
import { StartError } from '../launcher/start-error.ts'
import { mainOf } from '../launcher/topology.ts'
import { type SchemaName } from '@marketplace/contracts/services.ts'
import { exitOf, spawnNode } from './child.ts'
import { markLog, outputSince } from './log-file.ts'

/** Runs each service's migrate command as the owner of its schema. */
export async function migrateAll(
  schemas: readonly SchemaName[],
  ownerUrl: (schema: SchemaName) => string,
  logDir: string,
): Promise<void> {
  await Promise.all(schemas.map((schema) => migrateOne(schema, ownerUrl(schema), logDir)))
}

async function migrateOne(schema: SchemaName, ownerUrl: string, logDir: string): Promise<void> {
  const folder = join(mainOf(schema), '../..')
  const log = join(logDir, `${schema}-migrate.log`)
  const mark = markLog(log)
  const child = spawnNode({
    main: join(folder, 'src/migrate.ts'),
    cwd: folder,
    settings: { OWNER_DATABASE_URL: ownerUrl },
    log,
  })
  const reason = await exitOf(child)
  if (reason !== 'code 0')
    throw new StartError(`The migrations of ${schema} failed (${reason}): ${outputSince(log, mark)}`)
}
