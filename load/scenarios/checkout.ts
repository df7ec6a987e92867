// Buyers purchase fixed-price listings and pay, each listing once.
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import type { Options } from 'k6/options'
import { buy } from '../k6/buy.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { buyer, listings } from '../k6/seed.ts'

const sold = new Counter('sold')
const [rate, seconds] = [2, 60]

export const options: Options = {
  scenarios: { checkout: arrivals('checkout', rate, `${seconds}s`) },
  thresholds: thresholds({
    sold: [`count>=${rate * seconds}`],
    ...times('create-intent', 800, 1500),
    ...times('confirm', 800, 1500),
  }),
  summaryTrendStats,
}

export function checkout(): void {
  const number = exec.scenario.iterationInTest
  if (buy(buyer(number), listings[number] ?? '', 'buy_now')) sold.add(1)
}
