// Mistakes that the invariant checker has to notice, as changes of source text: what is planted, and where.

export interface Patch {
  /** Below the root of the repo. */
  file: string
  /** Text that is there exactly once. */
  from: string
  to: string
}

/** Each name is a mistake that somebody could make. */
export const bugs = {
  'acknowledges before the commit': [
    {
      file: 'services/auction/src/bid/decide-bids.ts',
      from: 'await transaction(ctx.db, (trx) => decide(ctx, trx, group))',
      to: `await new Promise<Awaited<ReturnType<typeof decide>>>((answer, fail) => {
        transaction(ctx.db, async (trx) => {
          const early = await decide(ctx, trx, group)
          answer(early)
          return early
        }).catch(fail)
      })`,
    },
    {
      file: 'services/auction/src/bid/bids.repo.ts',
      from: 'const { rows } = await insertOfBidding(db, { bidding, keyed, held }).execute(db)',
      to: `void insertOfBidding(db, { bidding, keyed, held }).execute(db).catch(() => undefined)
  const rows = [{ now: new Date() }]`,
    },
  ],
  'writes the outbox outside the transaction': [
    {
      file: 'services/payments/src/sale/end-sale.ts',
      from: '    await publish(trx, paymentSucceeded(moved))\n',
      to: '',
    },
    {
      file: 'services/payments/src/sale/end-sale.ts',
      from: '  if (!paid) return\n',
      to: '  if (!paid) return\n  await transaction(ctx.db, (trx) => publish(trx, paymentSucceeded(paid)))\n',
    },
  ],
  'adds instead of sets in a consumer': [
    {
      file: 'services/catalog/src/auction/auction-states.repo.ts',
      from: 'bid_count = greatest(known.bid_count, excluded.bid_count)',
      to: 'bid_count = known.bid_count + (case when excluded.closed_at is null then 1 else 0 end)',
    },
  ],
  'applies an event each time it comes': [
    {
      file: 'packages/kit/src/inbox.ts',
      from: 'return new Set(rows.map((row) => row.event_id))',
      to: 'return new Set(rows.length > -1 ? ids : [])',
    },
  ],
  'relays what is newer than the last seen': [
    {
      file: 'packages/kit/src/outbox-rows.ts',
      from: 'export async function readUnpublished(session: Session): Promise<UnpublishedRow[]> {\n  return session.query<',
      to: `let lastSeen = 0
export async function readUnpublished(session: Session): Promise<UnpublishedRow[]> {
  const rows = await readNewer(session)
  lastSeen = Number(rows.at(-1)?.seq ?? lastSeen)
  return rows
}
function readNewer(session: Session) {
  return session.query<`,
    },
    {
      file: 'packages/kit/src/outbox-rows.ts',
      from: 'from outbox where published_at is null order by seq limit',
      to: 'from outbox where published_at is null and seq > ${lastSeen} order by seq limit',
    },
  ],
  'reckons the fee in floats': [
    {
      file: 'packages/kit/src/money.ts',
      from: 'cents(Math.floor((price * 5 + 50) / 100))',
      to: 'cents(Math.round((price / 100) * 0.05 * 100))',
    },
  ],
  'closes without the lock': [
    {
      file: 'services/auction/src/auction/auctions.repo.ts',
      from: '    .limit(closeBatch)\n    .forUpdate()\n    .skipLocked()\n',
      to: '    .limit(closeBatch)\n',
    },
  ],
  'takes the time of the transaction’s start': [
    {
      file: 'services/auction/src/auction/auctions.repo.ts',
      from: 'select (auction).*, now from lock_auction(',
      to: 'select (auction).*, now() as now from lock_auction(',
    },
  ],
  'takes the time of its own clock, which is behind': [
    {
      file: 'services/auction/src/auction/auctions.repo.ts',
      from: 'const { now, ...auction } = row\n',
      to: 'const { now: _, ...auction } = row\n  const now = new Date(Date.now() - 2500)\n',
    },
  ],
  // No mistake by itself: the newest alone would hide what others do.
  'applies each bid of a batch': [
    {
      file: 'packages/kit/src/consumer.ts',
      from: 'const superseded = supersededOf(definition, fresh, events)',
      to: 'const superseded = new Map()',
    },
    { file: 'packages/kit/src/consumer.ts', from: 'if (handler?.applyNewest) newest', to: 'if (!handler) newest' },
  ],
  'applies a batch of events from its end': [
    {
      file: 'packages/kit/src/consumer.ts',
      from: 'for (const { event, apply } of work) {',
      to: 'for (const { event, apply } of work.toReversed()) {',
    },
  ],
  'lets an older bid replace a newer one': [
    {
      file: 'services/catalog/src/auction/auction-states.repo.ts',
      from: 'current_bid_cents = greatest(known.current_bid_cents, excluded.current_bid_cents)',
      to: 'current_bid_cents = excluded.current_bid_cents',
    },
  ],
  'frees a hold by a timer of its own': [
    {
      file: 'services/catalog/src/sale/hold-item.ts',
      from: 'await insertHold(trx, answer.hold)\n',
      to: `{
      await insertHold(trx, answer.hold)
      setTimeout(() => void transaction(db, (later) => saveHoldState(later, ask.saleId, 'released')), 1000)
    }\n`,
    },
    {
      file: 'services/catalog/src/sale/hold-item.ts',
      from: "import { findLiveHold, insertHold, lockHold } from './holds.repo.ts'",
      to: "import { findLiveHold, insertHold, lockHold, saveHoldState } from './holds.repo.ts'",
    },
  ],
  'answers a secret before its commit': [
    {
      file: 'services/payments/src/sale/open-intent.ts',
      from: 'const payable = await markPayable(ctx.db, sale, intent.id, ctx.settings.PAYABLE_POLL_MS)',
      to: `void markPayable(ctx.db, sale, intent.id, ctx.settings.PAYABLE_POLL_MS)
  const payable: Sale = { ...sale, state: 'payable', intentId: intent.id }`,
    },
  ],
} as const satisfies Record<string, readonly Patch[]>

export type Bug = keyof typeof bugs

export function isBug(name: string): name is Bug {
  return Object.hasOwn(bugs, name)
}

/** The source with this change; a text that is not there once would plant nothing, or something else. */
export function plant(source: string, { file, from, to }: Patch): string {
  if (source.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
  return source.replace(from, () => to)
}
