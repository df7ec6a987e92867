// Each publishing service has one topic. Every event about a listing has the listing's id as its key.
export const topics = {
  catalog: 'marketplace.catalog',
  auction: 'marketplace.auction',
  payments: 'marketplace.payments',
  users: 'marketplace.users',
} as const

export type Topic = (typeof topics)[keyof typeof topics]
