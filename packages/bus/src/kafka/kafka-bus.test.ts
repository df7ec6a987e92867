import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openBus } from '../open-bus.ts'
import type { BusSettings } from '@marketplace/kit/events/bus.ts'

// No broker listens on this port.
const KAFKA_BROKERS = '127.0.0.1:1'

describe('the settings of the Kafka bus', () => {
  /** Returns the lines that opening the bus logs at level warn or above. */
  async function warningsFor(settings: BusSettings): Promise<string[]> {
    const warnings: string[] = []
    const lines = new Writable({
      write(line, _encoding, done) {
        warnings.push(String(line))
        done()
      },
    })
    const bus = await openBus(settings, pino({ level: 'warn' }, lines))
    await bus.close()
    return warnings
  }

  it('log a warning that KAFKA_CLIENT is ignored', async () => {
    expect(await warningsFor({ KAFKA_BROKERS })).toEqual([])
    expect(await warningsFor({ KAFKA_BROKERS, KAFKA_CLIENT: 'platformatic' })).toEqual([
      expect.stringContaining('KAFKA_CLIENT is ignored'),
    ])
  })

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
