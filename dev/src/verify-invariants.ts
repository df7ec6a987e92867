// `npm run verify-invariants`: holds a running marketplace's database to the invariants of the architecture page.
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { checkInvariants } from './invariants/find-findings.ts'
import { parseJournal } from './invariants/journal.ts'

const Settings = z.object({
  /** An admin's address of the marketplace database. */
  DATABASE_URL: z.url(),
  /** The card provider is asked with this key: Stripe, or the local card network at STRIPE_API_BASE. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_API_BASE: z.url().optional(),
  /** What a load was answered, one JSON entry per line. */
  JOURNAL: z.string().refine(existsSync, 'is no file').optional(),
})

async function verify(settings: z.output<typeof Settings>): Promise<void> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = settings
  const journal = settings.JOURNAL === undefined ? undefined : parseJournal(readFileSync(settings.JOURNAL, 'utf8'))
  const checked = await checkInvariants({
    databaseUrl: settings.DATABASE_URL,
    provider: secretKey === undefined ? undefined : { secretKey, apiBase },
    journal,
  })
  for (const { name, findings } of checked) {
    print(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${name}`)
    for (const { finding } of findings) print(`     ${finding}`)
  }
  if (secretKey === undefined) print('Not compared with the card provider: STRIPE_SECRET_KEY is not set.')
  if (!journal) print('Nothing is known to be acknowledged: JOURNAL is not set.')
  const failed = checked.filter(({ findings }) => findings.length > 0).length
  print(`Invariants: ${checked.length - failed} hold, ${failed} do not`)
  process.exitCode = failed > 0 ? 1 : 0
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const read = Settings.safeParse(process.env)
if (read.success) await verify(read.data)
else {
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ')
  process.stderr.write(`Set DATABASE_URL to the marketplace database, as its admin. ${wrong}\n`)
  process.exitCode = 1
}
