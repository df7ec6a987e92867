// `npm run check:stripe` runs the scenarios of the card provider against Stripe's sandbox. Needs STRIPE_SECRET_KEY, a
// test key.
import { runSuites, runVitest } from '@marketplace/tools/run/suites.ts'

/** The exit code when the check did not run; 1 means that it failed. */
const notRun = 3

const key = process.env['STRIPE_SECRET_KEY'] ?? ''
if (/^[rs]k_test_/.test(key)) {
  const config = 'vitest.stripe.config.ts'
  await runSuites('Stripe', [['Stripe’s sandbox', () => runVitest(['--config', config])]])
} else {
  const fault = key === '' ? 'STRIPE_SECRET_KEY is not set' : 'STRIPE_SECRET_KEY is not a test key'
  process.stderr.write(`Stripe was not checked: ${fault}. Set it to a test key (sk_test_… or rk_test_…).\n`)
  process.exitCode = notRun
}
