import { expect, it } from 'vitest'
import { findSettings, readConstants } from './find-settings.ts'

const text = `
const hourMs = 3_600_000
const settings = base.extend({
  DATABASE_URL: z.string().min(1),
  /** How long the winner
   * has to pay. */
  WIN_PAYMENT_WINDOW_MS: durationMs.default(48 * hourMs),
  REDIS_URL: z.string().min(1).optional(),
  // Bounds the
  // log.
  LOG_LEVEL: z.enum(['debug', 'info']).default('info'),
  KAFKA_TLS: flag.optional(),
  REUSE_PORT: flag,
  lower: z.string(),
})`

it('finds settings with their defaults and meanings', () => {
  expect(findSettings('config.ts', text, readConstants([text]))).toEqual([
    { name: 'DATABASE_URL', value: 'required', meaning: '' },
    { name: 'WIN_PAYMENT_WINDOW_MS', value: '2 d', meaning: 'How long the winner has to pay.' },
    { name: 'REDIS_URL', value: 'optional', meaning: '' },
    { name: 'LOG_LEVEL', value: '`info`', meaning: 'Bounds the log.' },
    { name: 'KAFKA_TLS', value: 'optional', meaning: '' },
    { name: 'REUSE_PORT', value: '`false`', meaning: '' },
  ])
})
