import type { KeyState } from '@marketplace/kit/idempotency/stored-responses.ts'
import type { IdempotentRequest } from '@marketplace/kit/idempotency/key.ts'
import { expect, it } from 'vitest'
import { partitionByKey } from './partition-by-key.ts'

function bidWith(key: string | null, body = 'body') {
  const idempotencyKey: IdempotentRequest | null = key === null ? null : toKey(key, body)
  return { idempotencyKey }
}

function toKey(key: string, body: string): IdempotentRequest {
  return { id: `alice ${key}`, userId: 'alice', route: 'POST /api/bids', key, bodyHash: Buffer.from(body) }
}

it('evaluates bids without a key and each new key once', () => {
  const [bare, first, again, other] = [bidWith(null), bidWith('a'), bidWith('a'), bidWith('a', 'other body')]
  const slots = partitionByKey([bare, first, again, bare, other], new Map())
  expect(slots.map((slot) => (slot.kind === 'evaluated' ? slot.bid : slot.known.state))).toEqual([
    bare,
    first,
    first,
    bare,
    'reused',
  ])
})

it('returns the stored response of a known key and evaluates the other bids', () => {
  const response = { isError: false as const, status: 201, body: 'stored' }
  const known = new Map<string, KeyState<string>>([
    ['alice a', { state: 'done', response }],
    ['alice b', { state: 'reused' }],
  ])
  const bids = [bidWith('a'), bidWith('b'), bidWith('c')]
  expect(partitionByKey(bids, known)).toEqual([
    { kind: 'known', known: { state: 'done', response } },
    { kind: 'known', known: { state: 'reused' } },
    { kind: 'evaluated', bid: bids[2] },
  ])
})
