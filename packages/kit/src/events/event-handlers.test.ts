import { describe, expect, it } from 'vitest'
import { eventOf } from '@marketplace/bus/conformance/bus.conformance-events.ts'
import { callsOf, consumer, type Handler } from './event-handlers.ts'
import type { EventTables } from './events.fixture.ts'

function handler(type: string): Handler<EventTables> {
  return { type, isLatestOnly: false, apply: async () => undefined }
}

const definition = consumer('test', ['topic'], ['Placed', 'Closed', 'Paid'].map(handler))

/** Returns the calls for events given as `<type> <key>`, each as its type and keys. */
function calls(...events: string[]): string[] {
  const batch = events.map((text, index) => {
    const [type = '', key = ''] = text.split(' ')
    return { ...eventOf('topic', key, index), type }
  })
  return callsOf(definition, batch).map(({ handler: { type }, events: given }) =>
    [type, ...given.map(({ key }) => key)].join(' '),
  )
}

describe('the calls for a batch', () => {
  it('are one per type if no key has its events in another order', () => {
    expect(calls('Placed a', 'Closed a', 'Placed b', 'Closed b', 'Paid a', 'Placed c')).toEqual([
      'Placed a b c',
      'Closed a b',
      'Paid a',
    ])
  })

  it('apply the events of a key in their order', () => {
    expect(calls('Closed a', 'Closed b', 'Placed a', 'Paid b', 'Placed a', 'Closed a')).toEqual([
      'Closed a b',
      'Paid b',
      'Placed a a',
      'Closed a',
    ])
  })

  it('leave out events without a handler', () => {
    expect(calls('Unknown a', 'Paid a', 'Unknown b')).toEqual(['Paid a'])
  })
})
