import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openBus } from '../open-bus.ts'

// No broker listens on this port.
const KAFKA_BROKERS = '127.0.0.1:1'

describe('the settings of the Kafka bus', () => {
  it.each([
    { KAFKA_USERNAME: 'a' },
    { KAFKA_SASL_MECHANISM: 'PLAIN', KAFKA_USERNAME: 'a' },
    { KAFKA_USERNAME: 'a', KAFKA_PASSWORD: 'b' },
  ] as const)('are rejected with incomplete credentials: %o', async (credentials) => {
    await expect(openBus({ KAFKA_BROKERS, ...credentials }, pino({ level: 'silent' }))).rejects.toThrow(
      'KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD must be set together',
    )
  })
})
