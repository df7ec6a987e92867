import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openBus, type BusEvent, type KafkaSettings } from '@marketplace/kit/bus.ts'
import { ensureTopics } from '@marketplace/kit/bus-kafka-topics.ts'
import { newId } from '@marketplace/kit/ids.ts'
import { openLog } from '@marketplace/kit/log.ts'
import { eventually } from '@marketplace/testing/eventually.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Guard } from './kafka/guard-broker.ts'
import { startKafka } from './kafka.ts'

const log = openLog('test', 'silent')

let guard: Guard
const ends: (() => Promise<unknown>)[] = []
const known = getCACertificates('default')

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafka-guard-'))
  ends.push(() => rm(dataDir, { recursive: true, force: true }))
  const kafka = await startKafka({ dataDir, isGuarded: true })
  ends.push(() => kafka.stop())
  if (!kafka.guard) throw new Error('The broker has no guarded port.')
  guard = kafka.guard
  await ensureTopics({ KAFKA_BROKERS: kafka.brokers }, ['test.guarded'])
  // As NODE_EXTRA_CA_CERTS does for a process from its start.
  setDefaultCACertificates([...known, guard.certificate])
})

afterAll(async () => {
  setDefaultCACertificates(known)
  for (const end of ends.toReversed()) await end()
})

const clients = ['platformatic', 'kafkajs'] as const
const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const

describe.each(clients)('a broker with TLS and passwords, by %s', (KAFKA_CLIENT) => {
  const settings = (mechanism: (typeof mechanisms)[number], password = guard.password): KafkaSettings => ({
    KAFKA_BROKERS: guard.brokers,
    KAFKA_CLIENT,
    KAFKA_TLS: true,
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_USERNAME: guard.username,
    KAFKA_PASSWORD: password,
  })

  it.each(mechanisms)('takes who logs in by %s, to send and to read', async (mechanism) => {
    const bus = await openBus(settings(mechanism), log)
    const [taken, tailed]: [BusEvent[], BusEvent[]] = [[], []]
    try {
      const event = eventOf(newId())
      await bus.publish([event])
      const handler = async (batch: readonly BusEvent[]) => void taken.push(...batch)
      await bus.consume({ group: newId(), topics: ['test.guarded'], handler })
      await bus.tail({ topic: 'test.guarded', since: new Date(0), handler: (one) => tailed.push(one) })
      const isTold = (events: BusEvent[]) => events.at(-1)?.id === event.id
      await eventually(() => isTold(taken) && isTold(tailed) && bus.isHealthy())
      expect([taken.at(-1), tailed.at(-1)]).toEqual([event, event])
    } finally {
      await bus.close()
    }
  })

  it('refuses a wrong password', async () => {
    const bus = await openBus(settings('SCRAM-SHA-256', 'another'), log)
    try {
      await expect(bus.publish([eventOf(newId())])).rejects.toThrow()
      expect(bus.isHealthy()).toBe(false)
    } finally {
      await bus.close()
    }
  })
})

it.each(clients)('a certificate that nobody vouches for is refused by %s', async (KAFKA_CLIENT) => {
  setDefaultCACertificates(known)
  const bus = await openBus({ KAFKA_BROKERS: guard.brokers, KAFKA_CLIENT, KAFKA_TLS: true }, log)
  try {
    await expect(bus.publish([eventOf(newId())])).rejects.toThrow()
  } finally {
    await bus.close()
    setDefaultCACertificates([...known, guard.certificate])
  }
})

function eventOf(id: string): BusEvent {
  const occurredAt = new Date().toISOString()
  const what = { type: 'test.Happened', occurredAt, version: 1, traceparent: null, payload: {} }
  return { id, topic: 'test.guarded', key: 'a', ...what }
}
