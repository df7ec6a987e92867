import { z } from 'zod'
import { defaultMaxConfirmations } from './payments/intent.ts'

const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  // The port of the fault endpoint for tests; there is none without it.
  FAULTS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  DATA_DIR: z.string().min(1),
  // Number of confirmations of an intent after which the next one cancels it.
  MAX_CONFIRMATIONS: z.coerce.number().int().min(1).default(defaultMaxConfirmations),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_test_'),
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_test_'),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_'),
  WEBHOOK_URL: z.url(),
  WEBHOOKS: z.enum(['on', 'off']).default('on'),
  // `report` writes violations of Stripe's published API to stderr.
  CONTRACT: z.enum(['report', 'off']).default('off'),
  NODE_ENV: z
    .string()
    .optional()
    .refine((value) => value !== 'production', 'is production: the local card network is for development only'),
})

export type Config = Readonly<z.infer<typeof Settings>>

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const read = Settings.safeParse(environment)
  if (read.success) return Object.freeze(read.data)
  const sentences = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The local card network cannot start. ${sentences.join('; ')}`)
}
