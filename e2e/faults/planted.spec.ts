import type { Bug } from '@marketplace/dev/failpoints-bugs.ts'
import type { Settings } from '@marketplace/dev/wiring.ts'
import { expect, startTestStack, test, withoutPages, type TestStack, type TestStackOptions } from '../src/stack.ts'
import { cardSwitches } from './card-switches.ts'
import { failpointSettings, findingsOf, killAt, reach, shortTimes, underLoad, type Victim } from './faults.ts'
import type { Load } from './load.ts'
import {
  bidAcrossTheEnd,
  bidAfterTheEnd,
  bidBehindCatalog,
  bidBehindOthers,
  buyAtOddPrices,
  checkOutAndDie,
  deliverBidsAgain,
} from './provocations.ts'

interface Plant {
  bugs: readonly Bug[]
  victim: Victim
  /** What makes the mistake matter; answers the load that ran meanwhile, or its journal. */
  provoke: (stack: TestStack) => Promise<Pick<Load, 'journal'> | undefined>
  /** What the checker then says; nothing for a mistake that another guard makes good. */
  found: string | null
  replicas?: number
  settings?: Settings
  isShort?: true
}

const plants: readonly Plant[] = [
  {
    bugs: ['acknowledges before the commit'],
    victim: 'auction',
    provoke: (stack) =>
      underLoad(stack, () => killAt(stack, 'auction', { point: 'before-commit', of: 'bids', skip: 2, afterMs: 1500 })),
    found: 'no acknowledged write is lost',
    isShort: true,
  },
  {
    bugs: ['writes the outbox outside the transaction'],
    victim: 'payments',
    // Other bookings have no event.
    provoke: (stack) =>
      underLoad(stack, () => killAt(stack, 'payments', { point: 'after-commit', of: 'journals', with: '"capture"' })),
    found: 'each sale that ended has its event',
  },
  {
    bugs: ['applies each bid of a batch', 'adds instead of sets in a consumer'],
    victim: 'catalog',
    provoke: deliverBidsAgain,
    // The inbox makes it good: an event counts once, however often it comes.
    found: null,
  },
  {
    bugs: ['applies each bid of a batch', 'adds instead of sets in a consumer', 'applies an event each time it comes'],
    victim: 'catalog',
    provoke: deliverBidsAgain,
    found: 'catalog knows each auction’s newest bid and end',
  },
  {
    bugs: ['relays what is newer than the last seen'],
    victim: 'auction',
    provoke: (stack) =>
      underLoad(stack, async () => {
        // Not a bid: one that is judged ahead is a single statement, and takes its events' numbers as it commits.
        await reach('auction', {
          point: 'before-commit',
          of: 'holds',
          with: 'auction_win',
          action: 'delay',
          afterMs: 1200,
        })
      }),
    found: 'no event is left unsent',
  },
  {
    bugs: ['reckons the fee in floats'],
    victim: 'payments',
    provoke: buyAtOddPrices,
    found: 'fee + seller_amount = sale_price, and the buyer pays price, shipping and fee',
  },
  {
    bugs: ['closes without the lock'],
    victim: 'auction',
    provoke: bidAcrossTheEnd,
    found: 'an ended auction with bids has one win or one paid buy-now, without bids no win',
  },
  {
    bugs: ['takes the time of the transaction’s start'],
    victim: 'auction',
    provoke: bidBehindOthers,
    found: 'bids are timed by the database’s clock, read after the lock',
    replicas: 2,
  },
  {
    bugs: ['takes the time of its own clock, which is behind'],
    victim: 'auction',
    provoke: bidAfterTheEnd,
    found: 'nothing is accepted after the end',
    // Nobody closes it before the bid.
    settings: { CLOSE_EVERY_MS: '60000' },
  },
  {
    bugs: ['applies each bid of a batch', 'applies a batch of events from its end'],
    victim: 'catalog',
    provoke: bidBehindCatalog,
    // Rules of the consumer make it good: no price goes back.
    found: null,
  },
  {
    bugs: [
      'applies each bid of a batch',
      'applies a batch of events from its end',
      'lets an older bid replace a newer one',
    ],
    victim: 'catalog',
    provoke: bidBehindCatalog,
    found: 'catalog knows each auction’s newest bid and end',
  },
  {
    bugs: ['frees a hold by a timer of its own'],
    victim: 'catalog',
    provoke: (stack) => underLoad(stack, () => new Promise((done) => setTimeout(done, 2000))),
    found: 'each live or completed sale has its hold',
  },
  {
    bugs: ['answers a secret before its commit'],
    victim: 'payments',
    provoke: checkOutAndDie,
    // Nobody else makes it payable meanwhile.
    settings: { NEW_GRACE_MS: '60000', SWEEP_EVERY_MS: '60000' },
    found: 'an intent whose secret was answered is known to its sale',
  },
]

test.describe.configure({ timeout: 240_000 })

for (const plant of plants) {
  const { bugs, found, isShort } = plant
  const title = `a service that ${bugs.join(', and ')} ${found === null ? 'is no harm' : 'is found out'}`
  test(title, { tag: isShort ? [] : '@long' }, async () => {
    const stack = await startTestStack(plantedStack(plant))
    try {
      const load = await plant.provoke(stack)
      const findings = await findingsOf(stack, load?.journal, found === null ? 20_000 : 6_000)
      if (found === null) expect(findings).toEqual([])
      else expect(findings.map(({ invariant }) => invariant)).toContain(found)
    } finally {
      await stack.stop()
    }
  })
}

test('what provokes them finds nothing where no mistake was planted', { tag: '@long' }, async () => {
  const victims = ['auction', 'payments', 'catalog'] as const
  const watched = Object.fromEntries(victims.map((victim) => [victim, failpointSettings(victim)]))
  const payments = { ...shortTimes, ...watched['payments'] }
  const stack = await startTestStack({
    ...emptyStack,
    replicas: { auction: 2 },
    env: { ...watched, payments, cards: cardSwitches },
  })
  try {
    for (const provoke of new Set(plants.map((plant) => plant.provoke))) {
      const load = await provoke(stack)
      expect(await findingsOf(stack, load?.journal, 20_000)).toEqual([])
    }
  } finally {
    await stack.stop()
  }
})

// No Postgres is killed here.
const emptyStack: TestStackOptions = { only: withoutPages, durable: false }

function plantedStack({ bugs, victim, replicas = 1, settings = {} }: Plant): TestStackOptions {
  const hook = import.meta.resolve('@marketplace/dev/failpoints-plant.ts')
  const failpoint = failpointSettings(victim)
  const planted = {
    ...failpoint,
    ...settings,
    NODE_OPTIONS: `--import ${hook} ${failpoint['NODE_OPTIONS']}`,
    PLANTED_BUGS: bugs.join(';'),
  }
  return {
    ...emptyStack,
    replicas: { [victim]: replicas },
    env: {
      cards: cardSwitches,
      payments: shortTimes,
      [victim]: { ...(victim === 'payments' ? shortTimes : {}), ...planted },
    },
  }
}
