import { z } from 'zod'
import { StartError } from './start-error.ts'
import type { StackOptions } from './stack.ts'

const given = z.string().min(1).optional()

const Environment = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_ORIGIN: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  SEED_DEMO: z.enum(['true', 'false']).default('true'),
  DATABASE_URL: given,
  KAFKA_BROKERS: given,
  REDIS_URL: given,
  OIDC_ISSUER: given,
  OIDC_CLIENT_ID: given,
  OIDC_CLIENT_SECRET: given,
  STRIPE_SECRET_KEY: given,
  STRIPE_PUBLISHABLE_KEY: given,
  STRIPE_WEBHOOK_SECRET: given,
  STRIPE_API_BASE: given,
  OPENAI_API_KEY: given,
  OPENAI_BASE_URL: given,
  OPENAI_MODEL: given,
})

type Environment = z.infer<typeof Environment>

/**
 * Reads the options of `npm start` from the environment. A server or provider that is set there is external and is not
 * started.
 */
export function readStackOptions(environment: NodeJS.ProcessEnv = process.env): StackOptions {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const read = Environment.safeParse(set)
  if (!read.success)
    throw new StartError(
      `Invalid setting: ${read.error.issues.map(({ path, message }) => `${path.join('.')} (${message})`).join(', ')}.`,
    )
  const { data } = read
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = data
  return {
    port: data.PORT,
    host: data.HOST,
    publicOrigin: data.PUBLIC_ORIGIN,
    dataDir: data.DATA_DIR,
    seedDemo: data.SEED_DEMO === 'true',
    databaseUrl: data.DATABASE_URL,
    kafkaBrokers: data.KAFKA_BROKERS,
    redisUrl: data.REDIS_URL,
    oidc: readOidc(data),
    stripe: readStripe(data),
    env: { messaging: { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } },
  }
}

function readOidc({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
}: Environment): StackOptions['oidc'] {
  if (!issuer && !clientId && !clientSecret) return undefined
  if (issuer && clientId && clientSecret) return { issuer, clientId, clientSecret }
  throw new StartError(
    'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are required together: set all three or none.',
  )
}

function readStripe(data: Environment): StackOptions['stripe'] {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = data
  if (!secretKey && !publishableKey && !webhookSecret && !data.STRIPE_API_BASE) return undefined
  if (secretKey && publishableKey && webhookSecret)
    return { secretKey, publishableKey, webhookSecret, apiBase: data.STRIPE_API_BASE }
  throw new StartError(
    'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET are required together: set all three or none.',
  )
}
