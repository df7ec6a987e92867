import { z } from 'zod'
import { openLog } from '../telemetry/log.ts'
import { removedSettings, renamedSettings } from './renamed-settings.ts'
import { kafkaPartitions } from './kafka-partitions.ts'
import { busRetentionMs } from './retention.ts'

export class SettingsError extends Error {}

/**
 * Parses settings from environment variables. Also accepts the old names of renamed settings and reports each with
 * `warn`. Throws a SettingsError that lists every invalid variable.
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Record<string, string | undefined>,
  warn: (message: string) => void = logWarning,
): Readonly<z.output<Schema>> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  for (const name of removedSettings) if (name in given) warn(`${name} has no effect; remove it.`)
  for (const [old, current] of Object.entries(renamedSettings)) {
    if (given[old] === undefined || !(current in schema.shape)) continue
    if (given[current] === undefined) {
      warn(`${old} was renamed to ${current}; the next version ignores the old name.`)
      given[current] = given[old]
    } else warn(`${old} is ignored because ${current} is set.`)
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return Object.freeze(parsed.data)
  const invalid = parsed.error.issues.map((issue) => `${issue.path.join('.')} is missing or invalid (${issue.message})`)
  throw new SettingsError(`${invalid.join('; ')}.`)
}

function logWarning(message: string): void {
  openLog('settings', 'warn').warn(message)
}

export const port = z.coerce.number().int().min(0).max(65_535)
export const durationMs = z.coerce.number().int().positive()
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true')

/** Settings of every process. The picture worker has no PORT. */
export const listenSettings = z.object({
  /** Address on which the process listens with both ports. */
  HOST: z.string().default('127.0.0.1'),
  /** Public port. The gateway forwards requests to it; the gateway's own is the only one that browsers reach. */
  PORT: port,
  /** Internal port: calls from other services, health and metrics. The gateway forwards nothing to it. */
  INTERNAL_PORT: port,
  /** Whether several processes on one machine can listen on the same ports. */
  REUSE_PORT: flag,
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** How long a shutdown can take. After that, the process exits with work in progress. */
  SHUTDOWN_TIMEOUT_MS: durationMs.default(25_000),
  /**
   * Base URL of an OpenTelemetry collector, for example http://localhost:4318. If it is missing, no traces are
   * exported.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of exported traces, 0 to 1. All traces are exported if it is missing. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).optional(),
  /**
   * Time, in ms, for which a process continues to serve after a shutdown signal. Part of SHUTDOWN_TIMEOUT_MS. During
   * this time each response closes its connection, so that the client connects to another process.
   */
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).default(0),
})

/**
 * Additional settings of the gateway and of every service with a database schema, for the event bus: Kafka if
 * KAFKA_BROKERS is set, otherwise Postgres.
 */
export const busSettings = z.object({
  /** URL of the database with the embedded event log. Required without KAFKA_BROKERS. */
  BUS_DATABASE_URL: z.string().min(1).optional(),
  /** Addresses of Kafka brokers, `host:port`, separated by commas. */
  KAFKA_BROKERS: z.string().min(1).optional(),
  /** Whether connections to Kafka use TLS. To trust a private certificate authority, set NODE_EXTRA_CA_CERTS. */
  KAFKA_TLS: flag.optional(),
  /** How the process authenticates to Kafka: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512. Without it, it does not. */
  KAFKA_SASL_MECHANISM: z.enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']).optional(),
  /** User of KAFKA_SASL_MECHANISM. */
  KAFKA_USERNAME: z.string().min(1).optional(),
  /** Password of KAFKA_USERNAME. */
  KAFKA_PASSWORD: z.string().min(1).optional(),
  /**
   * Number of partitions of a new topic, and number of partitions that a process reads at the same time. Existing
   * topics keep their partitions, because adding partitions would break the order of events with the same key.
   */
  KAFKA_PARTITIONS: z.coerce.number().int().min(1).max(1000).default(kafkaPartitions),
})

/** Additional settings of every service with a database schema: all except the gateway, web and the picture worker. */
export const serviceSettings = listenSettings.extend({
  ...busSettings.shape,
  /** URL of the database, for the role `<schema>_app`, which reads and writes rows. */
  DATABASE_URL: z.string().min(1),
  /**
   * Size of the pool for requests and jobs. Each process also has a consumer pool and one direct connection: 8 + 2 + 1
   * = 11 by default. A server with a limit of 200 connections is therefore sufficient for 18 processes.
   */
  DATABASE_CONNECTIONS: z.coerce.number().int().positive().default(8),
  /** How long a request or job waits for a connection of its pool, in ms. A request then gets 503. */
  DATABASE_CONNECT_TIMEOUT_MS: durationMs.default(5000),
  /** Size of the pool for consumers. It is separate, so that consumers that process a backlog do not delay requests. */
  CONSUMER_DATABASE_CONNECTIONS: z.coerce.number().int().positive().default(2),
  /**
   * How long published events stay in the outbox, in ms, for the ops commands `timeline` and `verify-invariants`. A
   * daily partition is dropped when this period has passed for all of its events.
   */
  OUTBOX_RETENTION_MS: durationMs.default(busRetentionMs),
  /**
   * How long the ids of applied events are kept, in ms. A daily partition is dropped when this period has passed for
   * all of its ids. An event that is redelivered after that is applied twice.
   */
  INBOX_RETENTION_MS: durationMs
    .refine((ms) => ms > busRetentionMs, `must be longer than the bus keeps events, ${busRetentionMs}`)
    .default(2 * busRetentionMs),
  /** Secret that authenticates calls between services. The same in all processes. */
  INTERNAL_SECRET: z.string().min(16),
  /** URL of the users service's internal port: signing keys, profiles and requests about personal data. */
  USERS_INTERNAL_URL: z.url(),
})

export type ListenSettings = z.output<typeof listenSettings>
export type ServiceSettings = z.output<typeof serviceSettings>
