// One topic per publishing service. The bus keeps the order of events with the same key, such as a listing's id.
export const topics = {
  catalog: 'marketplace.catalog',
  auction: 'marketplace.auction',
  payments: 'marketplace.payments',
  users: 'marketplace.users',
} as const

export type Topic = (typeof topics)[keyof typeof topics]
