import { z } from 'zod'
import { busKeepMs } from './retention.ts'

export class SettingsError extends Error {}

/** Reads settings from an environment; throws a SettingsError with one sentence that names every wrong variable. */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined>,
): Readonly<z.output<Schema>> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (parsed.success) return Object.freeze(parsed.data)
  const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`)
  throw new SettingsError(`Wrong or missing setting: ${wrong.join(', ')}.`)
}

export const port = z.coerce.number().int().min(0).max(65_535)
export const durationMs = z.coerce.number().int().positive()
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

// What every process listens on.
export const listenSettings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port,
  INTERNAL_PORT: port,
  REUSE_PORT: flag,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  DRAIN_MS: durationMs.default(25_000),
  /** A collector of OpenTelemetry traces, as in http://localhost:4318, and which share of the traces it gets, from 0 to 1. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  /** How long a process that is told to end goes on answering first, each answer ending its connection. Part of DRAIN_MS. */
  LINGER_MS: z.coerce.number().int().min(0).default(0),
})

/** How events travel: over Kafka, else through Postgres. */
export const busSettings = z.object({
  BUS_DATABASE_URL: z.string().min(1).optional(),
  KAFKA_BROKERS: z.string().min(1).optional(),
  /** Which client of Kafka: ADR-0007. */
  KAFKA_CLIENT: z.enum(['platformatic', 'kafkajs']).optional(),
  /** An authority of one's own goes into NODE_EXTRA_CA_CERTS. */
  KAFKA_TLS: flag.optional(),
  KAFKA_SASL_MECHANISM: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']).optional(),
  KAFKA_USERNAME: z.string().min(1).optional(),
  KAFKA_PASSWORD: z.string().min(1).optional(),
})

// What every service with a schema needs besides.
export const serviceSettings = listenSettings.extend({
  ...busSettings.shape,
  DATABASE_URL: z.string().min(1),
  /** Of the pool; there is a direct one besides. With 8 per process and 200 at the server, two dozen processes fit. */
  DATABASE_CONNECTIONS: z.coerce.number().int().positive().default(8),
  /** How long published events stay: what a listing's trace and the invariants look back on. */
  OUTBOX_KEEP_MS: durationMs.default(busKeepMs),
  /** How long ids of applied events stay. One that came again after its id was forgotten would be applied twice. */
  INBOX_KEEP_MS: durationMs
    .refine((ms) => ms > busKeepMs, `must be longer than the bus keeps events, ${busKeepMs}`)
    .default(2 * busKeepMs),
  INTERNAL_SECRET: z.string().min(16),
  USERS_INTERNAL_URL: z.url(),
})

export type ListenSettings = z.output<typeof listenSettings>
export type ServiceSettings = z.output<typeof serviceSettings>
