import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openContract } from './stripe-api/contract.ts'
import { observeCalls } from './stripe-api/observe.ts'
import { buildCardNetwork } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { openDatabase } from './payments/database.ts'
import { buildFaultApp } from './faults/faults-app.ts'
import { openFaults } from './faults/faults.ts'
import { startWebhooks } from './webhooks/webhooks.ts'

async function start(config: Config): Promise<void> {
  mkdirSync(config.DATA_DIR, { recursive: true })
  const database = openDatabase(join(config.DATA_DIR, 'cards.db'))
  const webhooks = startWebhooks(database, { url: config.WEBHOOK_URL, secret: config.STRIPE_WEBHOOK_SECRET })
  const keys = { secret: config.STRIPE_SECRET_KEY, publishable: config.STRIPE_PUBLISHABLE_KEY }
  const faults = openFaults()
  const sendsWebhooks = config.WEBHOOKS === 'on'
  const app = buildCardNetwork({
    database,
    keys,
    sendsWebhooks,
    faults,
    maxConfirmations: config.MAX_CONFIRMATIONS,
    onChange: webhooks.wake,
  })
  if (config.CONTRACT === 'report') observeCalls(app, openContract(), reportViolation)
  const switches = buildFaultApp({ database, faults, sendsWebhooks, onChange: webhooks.wake }, keys.secret)
  if (config.FAULTS_PORT !== undefined) await switches.listen({ host: config.HOST, port: config.FAULTS_PORT })
  await app.listen({ host: config.HOST, port: config.PORT })
  const stop = async () => {
    await Promise.all([app.close(), switches.close()])
    await webhooks.stop()
    database.close()
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
}

function reportViolation(violation: string): void {
  process.stderr.write(`contract violation: ${violation}\n`)
}

try {
  await start(readConfig())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
