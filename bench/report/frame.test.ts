import { describe, expect, it } from 'vitest'
import { listingLine } from '../search/listings.ts'
import { compare } from '../harness/compare.ts'
import { goalRows } from './page.ts'
import { drawBars } from './plot.ts'
import { inPresentTerms } from './results.ts'
import { random } from '../harness/random.ts'
import { quantile, spread } from './statistics.ts'
import { isMet, withSpread } from './words.ts'

describe('a comparison', () => {
  it('runs its sides in turn, skips the first run of each and compares round by round', async () => {
    const order: string[] = []
    const side = (name: string, values: readonly number[]) => {
      let run = 0
      return { name, run: async () => ({ order: order.push(name), rate: values[run++] ?? 0 }) }
    }
    const rounds = { warmUpMs: 1, count: 2, ms: 1 }
    const compared = await compare('all', [side('ours', [999, 20, 90]), side('theirs', [999, 10, 30])], rounds)

    expect(order).toEqual(['ours', 'theirs', 'ours', 'theirs', 'ours', 'theirs'])
    expect(compared.values('ours', 'rate')).toEqual([20, 90])
    expect(compared.ratio('rate', 'ours', 'theirs')).toEqual([2, 3])
  })
})

describe('figures', () => {
  it.each([
    [0.5, 2],
    [0.99, 4],
    [0, 1],
  ])('have the nearest rank as quantile %d', (share, value) => {
    expect(quantile([4, 1, 3, 2], share)).toBe(value)
  })

  it('are shown as median, minimum and maximum', () => {
    expect(spread([5, 1, 3])).toEqual({ median: 3, least: 1, most: 5 })
    expect([withSpread([5.04, 1, 3]), withSpread([1234.5]), withSpread([])]).toEqual(['3.00 (1.00–5.04)', '1,235', '–'])
  })

  it('meet a goal by their median', () => {
    const goal = { goal: 'a rate', target: 40, values: [10, 41, 99] }
    expect([isMet({ ...goal, bound: 'at least' }), isMet({ ...goal, bound: 'at most' })]).toEqual([true, false])
  })

  const run = {
    versions: [],
    notes: [],
    at: '2026-11-27T00:00:00Z',
    machine: 'one core',
    load: [0, 0] satisfies [number, number],
  }

  it('of earlier runs have the present terms in their labels', () => {
    const stored = {
      ...run,
      figures: [{ of: '10,000 watchers', side: 'gateway', what: 'kB a watcher', values: [1] }],
      goals: [
        {
          goal: 'Live: bid answered to the last of 10,000 watchers, p99 ms',
          bound: 'at most' as const,
          target: 500,
          values: [1],
        },
      ],
    }
    const { figures, goals } = inPresentTerms(stored)
    expect(figures).toMatchObject([{ of: '10,000 subscribers', side: 'gateway', what: 'kB a subscriber' }])
    expect(goals).toMatchObject([{ goal: 'Live: response to a bid until the last of 10,000 subscribers, p99 ms' }])
  })

  it('of goals name the scope of the bench, so that two benches can have the same goals', () => {
    const goals = [{ goal: 'Events a second', bound: 'at least' as const, target: 5000, values: [6000] }]
    const runs = [{ ...run, figures: [], goals }]
    expect(goalRows(runs, 'Kafka')).toEqual(['| Kafka: Events a second | at least 5,000 | 6,000 | – | met |'])
    expect(goalRows(runs)).toEqual(['| Events a second | at least 5,000 | 6,000 | – | met |'])
  })

  it('are drawn with their groups and sides, with escaped names', () => {
    const drawn = drawBars('Bids & more', [
      { of: '64 bidders', side: 'row <lock>', what: 'bids/s', values: [100, 427, 500] },
    ])
    expect(drawn).toContain('>64 bidders<')
    expect(drawn).toContain('row &lt;lock>')
    expect(drawn).toContain('aria-label="Bids &amp; more"')
    expect(drawn).not.toContain('NaN')
  })
})

describe('generated data', () => {
  it('is the same for the same seed', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, random(seed).next)
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
    expect(listingLine(41, 0)).toBe(listingLine(41, 0))
    expect(listingLine(41, 0)).not.toBe(listingLine(42, 0))
  })
})
