import { expect, it } from 'vitest'
import { run } from '@marketplace/tools/run/run.ts'

const check = (key: string) => run('node', ['tests/run/check-stripe.ts'], { env: { STRIPE_SECRET_KEY: key } })

it.each([
  ['', 'STRIPE_SECRET_KEY is not set'],
  ['sk_live_x', 'STRIPE_SECRET_KEY is not a test key'],
  ['pk_test_x', 'STRIPE_SECRET_KEY is not a test key'],
])('does not run with the key %o and exits with its own code', async (key, fault) => {
  const { code, output } = await check(key)
  expect([code, output]).toEqual([3, expect.stringContaining(`Stripe was not checked: ${fault}.`)])
})
