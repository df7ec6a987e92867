// One topic per publishing service; every event of a listing has the listing's id as its key.
export const topics = {
  catalog: 'marketplace.catalog',
  auction: 'marketplace.auction',
  payments: 'marketplace.payments',
  users: 'marketplace.users',
} as const

export type Topic = (typeof topics)[keyof typeof topics]

// Must not change: later events of a key would be published to another partition than its earlier events.
export const partitionsPerTopic = 4
