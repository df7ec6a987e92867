import { describe, expect, it } from 'vitest'
import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { captureLog } from '@marketplace/kit/events/events.fixture.ts'
import { eventOf } from '../conformance/bus.conformance-events.ts'
import { parseEvents, toMessage } from './messages.ts'

const topic = 'test.messages'

/** Returns the message of an event as a Kafka consumer receives it. */
function receivedMessage(event: BusEvent) {
  const { key, value, headers } = toMessage(event)
  const buffers = Object.entries(headers).map(([name, text]): [string, Buffer] => [name, Buffer.from(text)])
  return { offset: '7', key: Buffer.from(key), value: Buffer.from(value), headers: Object.fromEntries(buffers) }
}

describe('received messages', () => {
  it('are skipped and logged if their id is not a UUID, which the inbox could not store', () => {
    const { log, lines } = captureLog()
    const [event, other] = [eventOf(topic, 'a', 1), { ...eventOf(topic, 'a', 2), id: 'x' }]
    expect(parseEvents(topic, [event, other].map(receivedMessage), log)).toEqual([event])
    expect(lines).toMatchObject([{ level: 'error', msg: 'non-event message skipped', topic, offset: '7' }])
  })
})
