import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildCardNetwork } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { openDatabase } from './database.ts'
import { startWebhooks } from './webhooks.ts'

async function start(config: Config): Promise<void> {
  mkdirSync(config.DATA_DIR, { recursive: true })
  const database = openDatabase(join(config.DATA_DIR, 'cards.db'))
  const webhooks = startWebhooks(database, { url: config.WEBHOOK_URL, secret: config.STRIPE_WEBHOOK_SECRET })
  const keys = { secret: config.STRIPE_SECRET_KEY, publishable: config.STRIPE_PUBLISHABLE_KEY }
  const app = buildCardNetwork({
    database,
    keys,
    events: { isSent: config.WEBHOOKS === 'on' },
    onChange: webhooks.wake,
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  const stop = async () => {
    await app.close()
    await webhooks.stop()
    database.close()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

try {
  await start(readConfig())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
