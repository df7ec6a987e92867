import type { KnownKey } from '@marketplace/kit/idempotency-answers.ts'
import type { KeyedRequest } from '@marketplace/kit/idempotency-key.ts'
import { expect, it } from 'vitest'
import { sortOutKeys } from './keyed-bids.ts'

function bidWith(key: string | null, body = 'body') {
  const keyed: KeyedRequest | null = key === null ? null : keyedAs(key, body)
  return { keyed }
}

function keyedAs(key: string, body: string): KeyedRequest {
  return { id: `alice ${key}`, userId: 'alice', route: 'POST /api/bids', key, bodyHash: Buffer.from(body) }
}

it('judges what is new, once for each key', () => {
  const [bare, first, again, other] = [bidWith(null), bidWith('a'), bidWith('a'), bidWith('a', 'other body')]
  const turns = sortOutKeys([bare, first, again, bare, other], new Map())
  expect(turns.map((turn) => (turn.kind === 'judged' ? turn.bid : turn.known.state))).toEqual([
    bare,
    first,
    first,
    bare,
    'reused',
  ])
})

it('answers what is known from the first answer, and judges the rest', () => {
  const answer = { isRefusal: false as const, status: 201, body: 'stored' }
  const known = new Map<string, KnownKey<string>>([
    ['alice a', { state: 'done', answer }],
    ['alice b', { state: 'reused' }],
  ])
  const bids = [bidWith('a'), bidWith('b'), bidWith('c')]
  expect(sortOutKeys(bids, known)).toEqual([
    { kind: 'known', known: { state: 'done', answer } },
    { kind: 'known', known: { state: 'reused' } },
    { kind: 'judged', bid: bids[2] },
  ])
})
