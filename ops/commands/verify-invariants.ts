import { existsSync, readFileSync } from 'node:fs'
import { durationMs } from '@marketplace/kit/config/config.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { runProcess } from '@marketplace/kit/app/process.ts'
import { z } from 'zod'
import { createExporter } from '../invariants/exporter.ts'
import { checkWhenIdle, type InvariantSources } from '../invariants/check-invariants.ts'
import { parseJournal } from '../invariants/journal.ts'
import type { Command } from './command.ts'

// Time, in ms, after which violations are reported. Until then, the check is repeated, because a write in progress can
// look like a violation.
const idleTimeoutMs = 10_000

const Settings = z.object({
  /** URL of the marketplace database. Its role must be able to read every schema. */
  DATABASE_URL: z.url(),
  /** Secret key for Stripe, or for the simulated Stripe API at STRIPE_API_BASE. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_API_BASE: z.url().optional(),
  /** Path of a load test's journal: a file with one line of JSON for each response that the load test received. */
  JOURNAL: z.string().refine(existsSync, 'is not a file').optional(),
  /**
   * Limit for the total of a first-time buyer's leading bids and unpaid wins, in cents. Set it to the auction service's
   * limit if that service overrides the default.
   */
  MAX_FIRST_PURCHASE_EXPOSURE_CENTS: z.coerce.number().int().min(0).optional(),
  /** Port for Prometheus metrics; if it is set, the invariants are checked periodically instead of once. */
  METRICS_PORT: z.coerce.number().int().positive().optional(),
  CHECK_EVERY_MS: durationMs.default(60_000),
  /** Maximum duration of the shutdown. */
  SHUTDOWN_TIMEOUT_MS: durationMs.default(25_000),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
})

type Settings = z.output<typeof Settings>

/**
 * Checks the database of a running marketplace against the invariants of the architecture documentation. Checks once,
 * or periodically until SIGTERM if METRICS_PORT is set.
 */
export const verifyInvariants: Command = async (_args, environment) => {
  const { data: settings, error } = Settings.safeParse(environment)
  if (settings) {
    const { METRICS_PORT: port } = settings
    if (port === undefined) return verify(settings)
    await checkPeriodically(settings, port)
    return 0
  }
  const wrong = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ')
  throw new Error(`DATABASE_URL is required: the marketplace database, as an administrator. ${wrong}`)
}

async function verify(settings: Settings): Promise<number> {
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

function checkPeriodically(settings: Settings, metricsPort: number): Promise<void> {
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

function sourcesOf(settings: Settings): InvariantSources {
  const { DATABASE_URL: databaseUrl, STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = settings
  const provider = secretKey === undefined ? undefined : { secretKey, apiBase }
  return { databaseUrl, provider, maxExposureCents: settings.MAX_FIRST_PURCHASE_EXPOSURE_CENTS }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
