// One topic for each service that publishes events. Events about a listing have its id as their key, so they stay in
// order.
export const topics = {
  catalog: 'marketplace.catalog',
  auction: 'marketplace.auction',
  payments: 'marketplace.payments',
  users: 'marketplace.users',
} as const

export type Topic = (typeof topics)[keyof typeof topics]
