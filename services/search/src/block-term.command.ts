import { openDatabase } from '@marketplace/kit/db/db.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { readCommandConfig } from './config.ts'
import type { SearchTables } from './db.ts'
import { maxBlocked, setBlocked } from './trending/visible-terms.repo.ts'

const [action, term] = process.argv.slice(2)
if ((action !== 'block' && action !== 'allow') || !term?.trim()) {
  process.stderr.write('Usage: block-term.command.ts block|allow TERM\n')
  process.exit(1)
}
const settings = readCommandConfig()
const log = openLog('search', settings.LOG_LEVEL)
const db = openDatabase<SearchTables>(settings.DATABASE_URL, (error) =>
  log.warn({ err: error }, 'database connection lost'),
)
const key = await setBlocked(db, term, action === 'block')
await db.destroy()
if (key === null) {
  process.stderr.write(`At most ${maxBlocked} terms can be blocked. Allow another term first.\n`)
  process.exit(1)
}
log.info({ term: key }, action === 'block' ? 'trending term blocked' : 'trending term allowed')
process.exit(0)
