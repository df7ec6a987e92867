import type { Failpoint } from '@marketplace/dev/failpoints.ts'
import type { Victim } from './faults.ts'

export interface Point {
  title: string
  victim: Victim
  at: Omit<Failpoint, 'action'>
  /** Also in the short form, which runs with all other tests. */
  isShort?: true
}

const hold = 'POST /marketplace.sales.v1.SalesService/Hold'

/** Where a process is killed, or frozen for longer than any lease, while people bid, buy and write. */
export const points: readonly Point[] = [
  {
    title: 'before a bid commits',
    victim: 'auction',
    at: { point: 'before-commit', of: 'bids', skip: 2 },
    isShort: true,
  },
  {
    title: 'after a bid has committed, before it is answered',
    victim: 'auction',
    at: { point: 'after-commit', of: 'bids', skip: 2 },
  },
  {
    title: 'before a bid’s answer is written',
    victim: 'auction',
    at: { point: 'before-answer', of: 'POST /api/bids', skip: 2 },
  },
  { title: 'before a won auction is closed', victim: 'auction', at: { point: 'before-commit', of: 'holds' } },
  { title: 'after a won auction was closed', victim: 'auction', at: { point: 'after-commit', of: 'holds' } },
  {
    title: 'after the hold was granted, before payments knows it',
    victim: 'payments',
    at: { point: 'after-call', of: hold },
  },
  {
    title: 'after the provider made the intent',
    victim: 'payments',
    at: { point: 'after-call', of: 'POST /v1/payment_intents', skip: 1 },
  },
  {
    title: 'before a secret’s answer is written',
    victim: 'payments',
    at: { point: 'before-answer', of: 'POST /api/payments/create-intent' },
  },
  {
    title: 'after the provider charged, before it is booked',
    victim: 'payments',
    at: { point: 'before-commit', of: 'journals' },
    isShort: true,
  },
  {
    title: 'after a charge is booked, before it is answered',
    victim: 'payments',
    at: { point: 'after-commit', of: 'journals' },
  },
  { title: 'after the provider cancelled an intent', victim: 'payments', at: { point: 'after-call', of: '/cancel' } },
  {
    title: 'after the provider refunded',
    victim: 'payments',
    at: { point: 'after-call', of: 'POST /v1/refunds' },
  },
  {
    title: 'before a webhook’s answer is written',
    victim: 'payments',
    at: { point: 'before-answer', of: 'POST /api/stripe/webhook' },
  },
  { title: 'before a hold commits', victim: 'catalog', at: { point: 'before-commit', of: 'holds' } },
  { title: 'after a hold has committed', victim: 'catalog', at: { point: 'after-commit', of: 'holds' } },
  {
    title: 'after an offer was accepted, before it is answered',
    victim: 'catalog',
    at: { point: 'before-answer', of: '/accept' },
  },
  {
    title: 'after an auction was opened, before its listing is stored',
    victim: 'catalog',
    at: { point: 'after-call', of: 'OpenAuction' },
  },
  {
    title: 'after a listing has committed, before it is answered',
    victim: 'catalog',
    at: { point: 'after-commit', of: 'listings' },
  },
  {
    title: 'before the relay of auction publishes',
    victim: 'auction',
    at: { point: 'before-statement', of: 'bus.append' },
  },
  {
    title: 'after the relay of auction published, before it marks',
    victim: 'auction',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
    isShort: true,
  },
  {
    title: 'after the relay of payments published, before it marks',
    victim: 'payments',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
  },
  {
    title: 'after the relay of catalog published, before it marks',
    victim: 'catalog',
    at: { point: 'before-statement', of: 'update outbox set published_at' },
  },
  {
    title: 'after an event’s effect in catalog, before its offset',
    victim: 'catalog',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  {
    title: 'after an event’s effect in auction, before its offset',
    victim: 'auction',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  {
    title: 'after an event’s effect in search, before its offset',
    victim: 'search',
    at: { point: 'before-statement', of: 'insert into bus.positions', skip: 1 },
  },
  {
    title: 'after an event’s effect in payments, before its offset',
    victim: 'payments',
    at: { point: 'before-statement', of: 'insert into bus.positions' },
  },
  { title: 'before a message commits', victim: 'messaging', at: { point: 'before-commit', of: 'messages' } },
]
