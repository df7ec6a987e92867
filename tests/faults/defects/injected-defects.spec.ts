import { doublesOf, type Defect } from '../injection/defects.ts'
import type { Settings } from '@marketplace/stack/launcher/topology.ts'
import {
  expect,
  startTestStack,
  test,
  withoutPages,
  type TestStack,
  type TestStackOptions,
} from '../../support/processes/stack.ts'
import { cardFaultSettings } from '../load/card-faults.ts'
import { crashPoints, provocationPoints } from '../injection/fault-points.ts'
import { failpointSettings, violationsOf, killAt, reach, shortTimes, underLoad, type Victim } from '../load/faults.ts'
import type { Load } from '../load/load.ts'
import {
  delayBidAcrossEnd,
  bidAfterEnd,
  bidWhileCatalogFrozen,
  delayBidBeforeLock,
  buyAtOddPrices,
  killDuringCheckout,
  redeliverBids,
} from './provocations.ts'

interface DefectCase {
  defects: readonly Defect[]
  victim: Victim
  /** Provokes the situation in which the defect has an effect. Returns the load that ran meanwhile, or its journal. */
  provoke: (stack: TestStack) => Promise<Pick<Load, 'journal'> | undefined>
  /** The invariant that the checker reports; null when another safeguard prevents the effect. */
  violated: string | null
  replicas?: number
  settings?: Settings
  /** In CI; the others run nightly. */
  isInCi?: true
}

const defectCases: readonly DefectCase[] = [
  {
    defects: ['acknowledges before the commit'],
    victim: 'auction',
    provoke: (stack) =>
      underLoad(stack, () => killAt(stack, 'auction', { ...crashPoints['before a bid commits'].at, afterMs: 3000 })),
    violated: 'no acknowledged write is lost',
    isInCi: true,
  },
  {
    defects: ['writes the outbox outside the transaction'],
    victim: 'payments',
    provoke: (stack) =>
      underLoad(stack, () =>
        killAt(stack, 'payments', provocationPoints['after the capture of a charge is posted'].at),
      ),
    violated: 'each sale that ended has its event',
  },
  {
    defects: ['applies each bid of a batch', 'adds instead of sets in a consumer'],
    victim: 'catalog',
    provoke: redeliverBids,
    // The inbox prevents the effect: an event is applied once, however often it is delivered.
    violated: null,
  },
  {
    defects: [
      'applies each bid of a batch',
      'adds instead of sets in a consumer',
      'applies an event on every delivery',
    ],
    victim: 'catalog',
    provoke: redeliverBids,
    violated: 'catalog has each auction’s newest bid and end',
    isInCi: true,
  },
  {
    defects: ['relays only events newer than the last one read'],
    victim: 'auction',
    provoke: (stack) =>
      underLoad(stack, async () => {
        // Not a bid: an optimistic bid is a single statement, which allocates its event numbers as it commits.
        const { at } = provocationPoints['before the hold of an auction’s winner commits']
        await reach('auction', { ...at, action: 'delay', afterMs: 1200 })
      }),
    violated: 'no event is left unsent',
  },
  {
    defects: ['computes the fee in floats'],
    victim: 'payments',
    provoke: buyAtOddPrices,
    violated: 'fee + seller_amount = sale_price, and the buyer pays price, shipping and fee',
    isInCi: true,
  },
  {
    defects: ['closes without the lock'],
    victim: 'auction',
    provoke: delayBidAcrossEnd,
    violated: 'an ended auction with bids has one win or one paid buy-now, without bids no win',
  },
  {
    defects: ['uses the time of the transaction’s start'],
    victim: 'auction',
    provoke: delayBidBeforeLock,
    violated: 'bids are timed by the database’s clock, read after the lock',
    replicas: 2,
  },
  {
    defects: ['uses its own clock, which is behind'],
    victim: 'auction',
    provoke: bidAfterEnd,
    violated: 'nothing is accepted after the end',
    // No closer runs before the bid.
    settings: { CLOSE_INTERVAL_MS: '60000' },
  },
  {
    defects: ['applies each bid of a batch', 'applies a batch of events in reverse order'],
    victim: 'catalog',
    provoke: bidWhileCatalogFrozen,
    // The consumer's merge prevents the effect: an older price never replaces a newer one.
    violated: null,
  },
  {
    defects: [
      'applies each bid of a batch',
      'applies a batch of events in reverse order',
      'lets an older bid replace a newer one',
    ],
    victim: 'catalog',
    provoke: bidWhileCatalogFrozen,
    violated: 'catalog has each auction’s newest bid and end',
  },
  {
    defects: ['releases a hold by a timer'],
    victim: 'catalog',
    provoke: (stack) => underLoad(stack, () => new Promise((done) => setTimeout(done, 2000))),
    violated: 'each live or completed sale has its hold',
  },
  {
    defects: ['returns a secret before its commit'],
    victim: 'payments',
    provoke: killDuringCheckout,
    // Neither the sweep nor a retry makes the sale payable meanwhile.
    settings: { NEW_SALE_TTL_MS: '60000', SWEEP_INTERVAL_MS: '60000' },
    violated: 'an intent whose secret was sent is stored with its sale',
  },
]

test.describe.configure({ timeout: 240_000 })

for (const defectCase of defectCases) {
  const { defects, violated, isInCi } = defectCase
  const title = `a service that ${defects.join(', and ')} ${violated === null ? 'causes no violation' : 'is found by the checker'}`
  test(title, { tag: isInCi ? [] : '@nightly' }, async () => {
    const stack = await startTestStack(defectStack(defectCase))
    try {
      const load = await defectCase.provoke(stack)
      const violations = await violationsOf(stack, load?.journal, violated === null ? 20_000 : 6_000)
      if (violated === null) expect(violations).toEqual([])
      else expect(violations.map(({ invariant }) => invariant)).toContain(violated)
    } finally {
      await stack.stop()
    }
  })
}

test('the provocations cause no violation without a defect', { tag: '@nightly' }, async () => {
  const victims = ['auction', 'payments', 'catalog'] as const
  const watched = Object.fromEntries(victims.map((victim) => [victim, failpointSettings(victim)]))
  const payments = { ...shortTimes, ...watched['payments'] }
  const stack = await startTestStack({
    ...emptyStack,
    replicas: { auction: 2 },
    env: { ...watched, payments, cards: cardFaultSettings },
  })
  try {
    for (const provoke of new Set(defectCases.map((defectCase) => defectCase.provoke))) {
      const load = await provoke(stack)
      expect(await violationsOf(stack, load?.journal, 20_000)).toEqual([])
    }
  } finally {
    await stack.stop()
  }
})

// These tests do not kill Postgres.
const emptyStack: TestStackOptions = { only: withoutPages, durable: false }

function defectStack({ defects, victim, replicas = 1, settings = {} }: DefectCase): TestStackOptions {
  const injected = { ...failpointSettings(victim, doublesOf(defects)), ...settings }
  return {
    ...emptyStack,
    replicas: { [victim]: replicas },
    env: {
      cards: cardFaultSettings,
      payments: shortTimes,
      [victim]: { ...(victim === 'payments' ? shortTimes : {}), ...injected },
    },
  }
}
