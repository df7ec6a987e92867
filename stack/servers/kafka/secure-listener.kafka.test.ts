import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openBus } from '@marketplace/bus/open-bus.ts'
import type { BusEvent, KafkaSettings } from '@marketplace/kit/events/bus.ts'
import { ensureTopics } from '@marketplace/bus/kafka/topics.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SecureListener } from './secure-listener.ts'
import { startKafka } from './kafka.ts'

const log = openLog('test', 'silent')

let secure: SecureListener
const ends: (() => Promise<unknown>)[] = []
const known = getCACertificates('default')

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafka-secure-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const kafka = await startKafka({ dataDir, isSecured: true })
  ends.push(() => kafka.stop())
  if (!kafka.secure) throw new Error('The broker has no secure listener.')
  secure = kafka.secure
  await ensureTopics({ KAFKA_BROKERS: kafka.brokers }, ['test.secured'])
  // As NODE_EXTRA_CA_CERTS does at the start of a process.
  setDefaultCACertificates([...known, secure.certificate])
})

afterAll(async () => {
  setDefaultCACertificates(known)
  for (const end of ends.toReversed()) await end()
})

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

describe('a broker with TLS and passwords', () => {
  const settings = (mechanism: (typeof mechanisms)[number], password = secure.password): KafkaSettings => ({
    KAFKA_BROKERS: secure.brokers,
    KAFKA_TLS: true,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_USERNAME: secure.username,
    KAFKA_PASSWORD: password,
  })

  it.each(mechanisms)('accepts publishing and reading with %s credentials', async (mechanism) => {
    const bus = await openBus(settings(mechanism), log)
    const [consumed, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    try {
      const event = eventOf(newId())
      await bus.publish([event])
      const handler = async (batch: readonly BusEvent[]) => void consumed.push(...batch)
      await bus.consume({ group: newId(), topics: ['test.secured'], handler })
      await bus.tail({ topic: 'test.secured', since: new Date(0), handler: (one) => tailed.push(one) })
      const hasEvent = (events: BusEvent[]) => events.at(-1)?.id === event.id
      await eventually(() => hasEvent(consumed) && hasEvent(tailed) && bus.isHealthy())
      expect([consumed.at(-1), tailed.at(-1)]).toEqual([event, event])
    } finally {
      await bus.close()
    }
  })

  it('rejects a wrong password', async () => {
    const bus = await openBus(settings('SCRAM-SHA-256', 'another'), log)
    try {
      await expect(bus.publish([eventOf(newId())])).rejects.toThrow()
      expect(bus.isHealthy()).toBe(false)
    } finally {
      await bus.close()
    }
  })
})

it('a certificate of an unknown authority is rejected', async () => {
  setDefaultCACertificates(known)
  const bus = await openBus({ KAFKA_BROKERS: secure.brokers, KAFKA_TLS: true }, log)
  try {
    await expect(bus.publish([eventOf(newId())])).rejects.toThrow()
  } finally {
    await bus.close()
    setDefaultCACertificates([...known, secure.certificate])
  }
})

function eventOf(id: string): BusEvent {
  const occurredAt = new Date().toISOString()
  const what = { type: 'test.Happened', occurredAt, version: 1, traceparent: null, payload: {} }
  return { id, topic: 'test.secured', key: 'a', ...what }
}
