import { readFileSync } from 'node:fs'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { runProcess } from '@marketplace/kit/app/process.ts'
import { createExporter } from '../invariants/exporter.ts'
import { checkWhenIdle, type InvariantSources } from '../invariants/check-invariants.ts'
import { parseJournal } from '../invariants/journal.ts'
import type { Command } from './command.ts'
import { invariantSettings, type InvariantSettings } from './settings.ts'

// Time, in ms, after which violations are reported. Until then, the check is repeated, because a write in progress can
// look like a violation.
const idleTimeoutMs = 10_000

/**
 * Checks the database of a running marketplace against the invariants of the architecture documentation. Checks once,
 * or periodically until SIGTERM if METRICS_PORT is set.
 */
export const verifyInvariants: Command = async (_args, environment) => {
  const { data: settings, error } = invariantSettings.safeParse(environment)
  if (settings) {
    const { METRICS_PORT: port } = settings
    if (port === undefined) return verify(settings)
    await checkPeriodically(settings, port)
    return 0
  }
  const wrong = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ')
  throw new Error(`DATABASE_URL is required: the marketplace database, as an administrator. ${wrong}`)
}

async function verify(settings: InvariantSettings): Promise<number> {
  const journal = settings.JOURNAL === undefined ? undefined : parseJournal(readFileSync(settings.JOURNAL, 'utf8'))
  const checked = await checkWhenIdle({ ...sourcesOf(settings), journal }, idleTimeoutMs)
  for (const { name, violations } of checked) {
    print(`${violations.length === 0 ? 'ok  ' : 'FAIL'} ${name}`)
    for (const { message } of violations) print(`     ${message}`)
  }
  if (settings.STRIPE_SECRET_KEY === undefined)
    print('The card provider’s record was not compared: STRIPE_SECRET_KEY is not set.')
  if (!journal) print('Acknowledged writes were not checked: JOURNAL is not set.')
  const failed = checked.filter(({ violations }) => violations.length > 0).length
  print(`Invariants: ${checked.length - failed} hold, ${failed} do not`)
  return failed > 0 ? 1 : 0
}

function checkPeriodically(settings: InvariantSettings, metricsPort: number): Promise<void> {
  const log = openLog('ops', settings.LOG_LEVEL)
  const exporter = createExporter(sourcesOf(settings), {
    port: metricsPort,
    everyMs: settings.CHECK_EVERY_MS,
    log,
    onError: (error) => print(`Check failed: ${String(error)}`),
  })
  return runProcess(() => ({
    log,
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT_MS,
    stop: () => exporter.stop(),
    async start() {
      const port = await exporter.start()
      print(
        `Invariants are checked every ${settings.CHECK_EVERY_MS / 1000} s; metrics are at http://0.0.0.0:${port}/metrics.`,
      )
    },
  }))
}

function sourcesOf(settings: InvariantSettings): InvariantSources {
  const { DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = settings
  const provider = secretKey === undefined ? undefined : { secretKey, apiBase }
  return { databaseUrl, provider, maxExposureCents: settings.MAX_FIRST_PURCHASE_EXPOSURE_CENTS }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
