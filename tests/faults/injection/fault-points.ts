import type { Failpoint } from './failpoints.ts'
import type { Victim } from '../load/faults.ts'

// The only file that names the product's tables, statements, routes and calls at which tests fail a process.
// points.spec.ts checks that every point is reached under load, so that a rename in the product fails a test.

export interface FaultPoint {
  victim: Victim
  at: Omit<Failpoint, 'action'>
}

const hold = 'POST /marketplace.sales.v1.SalesService/Hold'

/** Where a process is killed, or frozen for longer than any lease, under load. */
export const crashPoints = {
  'before a bid commits': { victim: 'auction', at: { point: 'before-commit', of: 'bids', skip: 2 } },
  'after a bid has committed, before its response': {
    victim: 'auction',
    at: { point: 'after-commit', of: 'bids', skip: 2 },
  },
  'before a bid’s response is written': {
    victim: 'auction',
    at: { point: 'before-response', of: 'POST /api/bids', skip: 2 },
  },
  'before a won auction is closed': { victim: 'auction', at: { point: 'before-commit', of: 'holds' } },
  'after a won auction was closed': { victim: 'auction', at: { point: 'after-commit', of: 'holds' } },
  'after the hold was granted, before payments continues': {
    victim: 'payments',
    at: { point: 'after-call', of: hold },
  },
  'after the provider made the intent': {
    victim: 'payments',
    at: { point: 'after-call', of: 'POST /v1/payment_intents', skip: 1 },
  },
  'before the response with a secret is written': {
    victim: 'payments',
    at: { point: 'before-response', of: 'POST /api/payments/create-intent' },
  },
  'after the provider charged, before it is posted': {
    victim: 'payments',
    at: { point: 'before-commit', of: 'journals' },
  },
  'after a charge is posted, before its response': {
    victim: 'payments',
    at: { point: 'after-commit', of: 'journals' },
  },
  'after the provider cancelled an intent': { victim: 'payments', at: { point: 'after-call', of: '/cancel' } },
  'after the provider refunded': { victim: 'payments', at: { point: 'after-call', of: 'POST /v1/refunds' } },
  'before a webhook’s response is written': {
    victim: 'payments',
    at: { point: 'before-response', of: 'POST /api/stripe/webhook' },
  },
  'before a hold commits': { victim: 'catalog', at: { point: 'before-commit', of: 'holds' } },
  'after a hold has committed': { victim: 'catalog', at: { point: 'after-commit', of: 'holds' } },
  'after an offer was accepted, before its response': {
    victim: 'catalog',
    at: { point: 'before-response', of: '/accept' },
  },
  'after an auction was opened, before its listing is stored': {
    victim: 'catalog',
    at: { point: 'after-call', of: 'OpenAuction' },
  },
  'after a listing has committed, before its response': {
    victim: 'catalog',
    at: { point: 'after-commit', of: 'listings' },
  },
  'before the relay of auction publishes': { victim: 'auction', at: { point: 'before-statement', of: 'bus.append' } },
  'after the relay of auction published, before it marks': {
    victim: 'auction',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
  },
  'after the relay of payments published, before it marks': {
    victim: 'payments',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
  },
  'after the relay of catalog published, before it marks': {
    victim: 'catalog',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
  },
  'after an event’s effect in catalog, before its offset': {
    victim: 'catalog',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  'after an event’s effect in auction, before its offset': {
    victim: 'auction',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  'after an event’s effect in search, before its offset': {
    victim: 'search',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  'after an event’s effect in payments, before its offset': {
    victim: 'payments',
    at: { point: 'before-statement', of: 'insert into bus.positions' },
  },
  'before a message commits': { victim: 'messaging', at: { point: 'before-commit', of: 'messages' } },
} as const satisfies Record<string, FaultPoint>

interface ChargedSale {
  id: string
  intentId: string
}

interface ProviderChangePoint {
  change: 'refund' | 'dispute'
  at: (sale: ChargedSale) => FaultPoint['at']
}

/** Where payments is killed while it applies a refund or dispute that was made at the provider. */
export const providerChangePoints: Readonly<Record<string, ProviderChangePoint>> = {
  'after the provider listed a sale’s refunds': {
    change: 'refund',
    at: ({ intentId }) => ({ point: 'after-call', of: `/v1/refunds?payment_intent=${intentId}` }),
  },
  'before a refund of the provider commits': {
    change: 'refund',
    at: ({ id }) => ({ point: 'before-commit', of: 'refunds', with: id }),
  },
  'after a refund of the provider has committed': {
    change: 'refund',
    at: ({ id }) => ({ point: 'after-commit', of: 'refunds', with: id }),
  },
  'after the provider listed a sale’s disputes': {
    change: 'dispute',
    at: ({ intentId }) => ({ point: 'after-call', of: `/v1/disputes?payment_intent=${intentId}` }),
  },
  'before a dispute’s first state commits': {
    change: 'dispute',
    at: ({ id }) => ({ point: 'before-commit', of: 'disputes', with: id }),
  },
  'before a lost dispute commits': {
    change: 'dispute',
    at: () => ({ point: 'before-commit', of: 'disputes', with: '"lost"' }),
  },
  'after a lost dispute has committed': {
    change: 'dispute',
    at: () => ({ point: 'after-commit', of: 'disputes', with: '"lost"' }),
  },
}

/** Where a process is delayed or killed so that an injected defect has an effect. */
export const provocationPoints = {
  'after the capture of a charge is posted': {
    victim: 'payments',
    // Other journals have no event.
    at: { point: 'after-commit', of: 'journals', with: '"capture"' },
  },
  'before the hold of an auction’s winner commits': {
    victim: 'auction',
    at: { point: 'before-commit', of: 'holds', with: 'auction_win' },
  },
  'after the effect of an auction’s event in catalog, before its offset': {
    victim: 'catalog',
    at: { point: 'before-statement', of: 'bus.positions', with: 'catalog.auction-news' },
  },
  'before an auction is locked': { victim: 'auction', at: { point: 'before-statement', of: 'lock_auction' } },
  'before a sale becomes payable': {
    victim: 'payments',
    // The update, not the insert, whose parameters contain the state too.
    at: { point: 'before-commit', of: 'transactions', with: '["payable",' },
  },
} as const satisfies Record<string, FaultPoint>

/** All fault points by name. */
export const faultPoints: Readonly<Record<string, FaultPoint>> = { ...crashPoints, ...provocationPoints }
