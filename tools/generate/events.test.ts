import { expect, it } from 'vitest'
import { findEvents } from './events.ts'

const proto = {
  path: 'proto/x.proto',
  text: `
// A message that is no event.
message Listing {}

// Event, key listing id. The whole listing
// as it is now.
message ListingChanged {
  string id = 1;
}

// Event, key user id.
message Revoked {
}
`,
}
const source = (service: string, text: string) => ({ path: `services/${service}/src/a.ts`, text })

it('finds events with their publishers and consumers', () => {
  const rows = findEvents([
    proto,
    source('catalog', 'return { topic, key, schema: ListingChangedSchema, message }'),
    source('search', 'on(ListingChangedSchema, apply)'),
    source('auction', 'onLatest(\n  ListingChangedSchema, apply)'),
    source('gateway', 'if (event.type !== RevokedSchema.typeName) return'),
  ])
  expect(rows).toEqual([
    {
      name: 'ListingChanged',
      key: 'listing id',
      meaning: 'The whole listing as it is now.',
      publishers: ['catalog'],
      consumers: ['auction', 'search'],
    },
    { name: 'Revoked', key: 'user id', meaning: '', publishers: [], consumers: ['gateway'] },
  ])
})
