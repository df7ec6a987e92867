import type { ServiceSettings } from '@marketplace/kit/config/config.ts'
import { connectTimeoutMs, type TestDatabase } from './database.ts'
import type { TestKeys } from './keys.ts'

export const testSecret = 'a-secret-of-the-tests'

const dayMs = 24 * 3_600_000

/** Returns settings for a service in tests, with logging disabled and free ports. */
export function testSettings(database: TestDatabase, keys: TestKeys): ServiceSettings {
  return {
    HOST: '127.0.0.1',
    PORT: 0,
    INTERNAL_PORT: 0,
    REUSE_PORT: false,
    LOG_LEVEL: 'silent',
    SHUTDOWN_TIMEOUT_MS: 5000,
    SHUTDOWN_DELAY_MS: 0,
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: 8,
    DATABASE_CONNECT_TIMEOUT_MS: connectTimeoutMs,
    CONSUMER_DATABASE_CONNECTIONS: 2,
    BUS_DATABASE_URL: database.busUrl,
    KAFKA_BROKERS: undefined,
    KAFKA_PARTITIONS: 4,
    OUTBOX_RETENTION_MS: 7 * dayMs,
    INBOX_RETENTION_MS: 14 * dayMs,
    INTERNAL_SECRET: testSecret,
    USERS_INTERNAL_URL: keys.usersInternalUrl,
  }
}
