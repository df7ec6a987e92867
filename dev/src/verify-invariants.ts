// `npm run verify-invariants`: holds a running marketplace's database to the invariants of the architecture page, once or,
// with METRICS_PORT, again and again for Prometheus.
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { exportInvariants } from './invariants/exporter.ts'
import { checkOnceQuiet, type World } from './invariants/find-findings.ts'
import { parseJournal } from './invariants/journal.ts'

// What is under way has ended by then; what takes longer is worth a look.
const quietMs = 10_000

const Settings = z.object({
  /** An admin's address of the marketplace database. */
  DATABASE_URL: z.url(),
  /** The card provider is asked with this key: Stripe, or the local card network at STRIPE_API_BASE. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_API_BASE: z.url().optional(),
  /** What a load was answered, one JSON entry per line. */
  JOURNAL: z.string().refine(existsSync, 'is no file').optional(),
  /** Goes on checking and tells Prometheus there. */
  METRICS_PORT: z.coerce.number().int().positive().optional(),
  CHECK_EVERY_MS: z.coerce.number().int().positive().default(60_000),
})

type Settings = z.output<typeof Settings>

async function verify(settings: Settings): Promise<void> {
  const journal = settings.JOURNAL === undefined ? undefined : parseJournal(readFileSync(settings.JOURNAL, 'utf8'))
  const checked = await checkOnceQuiet({ ...worldOf(settings), journal }, quietMs)
  for (const { name, findings } of checked) {
    print(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${name}`)
    for (const { finding } of findings) print(`     ${finding}`)
  }
  if (settings.STRIPE_SECRET_KEY === undefined)
    print('Not compared with the card provider: STRIPE_SECRET_KEY is not set.')
  if (!journal) print('Nothing is known to be acknowledged: JOURNAL is not set.')
  const failed = checked.filter(({ findings }) => findings.length > 0).length
  print(`Invariants: ${checked.length - failed} hold, ${failed} do not`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function keepChecking(settings: Settings, wantedPort: number): Promise<void> {
  const { port } = await exportInvariants(worldOf(settings), {
    port: wantedPort,
    everyMs: settings.CHECK_EVERY_MS,
    onError: (error) => print(`Not checked: ${String(error)}`),
  })
  print(`Invariants are checked every ${settings.CHECK_EVERY_MS / 1000} s and told at http://0.0.0.0:${port}/metrics.`)
}

function worldOf({
  DATABASE_URL: databaseUrl,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_BASE: apiBase,
}: Settings): World {
  return { databaseUrl, provider: secretKey === undefined ? undefined : { secretKey, apiBase } }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const read = Settings.safeParse(process.env)
if (read.success) {
  const { METRICS_PORT: port } = read.data
  await (port === undefined ? verify(read.data) : keepChecking(read.data, port))
} else {
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ')
  process.stderr.write(`Set DATABASE_URL to the marketplace database, as its admin. ${wrong}\n`)
  process.exitCode = 1
}
