// Visitors search: suggestions while typing, then results, sometimes with a misspelled word.
import type { Options } from 'k6/options'
import { send } from '../k6/send.ts'
import { arrivals, summaryTrendStats, thresholds, times } from '../k6/open-loop.ts'
import { pick } from '../k6/seed.ts'

const words = [
  'brass',
  'lamp',
  'steel',
  'watch',
  'oak',
  'chair',
  'field',
  'camera',
  'wool',
  'coat',
  'glass',
  'vase',
  'bicycle',
]
const mistakes = ['bicylce', 'camrea', 'chiar', 'wacth', 'galss', 'steell', 'laamp', 'caot']
const orders = ['', '&sort=newest', '&sort=price-asc', '&sort=price-desc']

export const options: Options = {
  scenarios: { search: arrivals('search', 15, '60s') },
  thresholds: thresholds({ ...times('suggestions', 200, 500), ...times('search', 200, 500) }),
  summaryTrendStats,
}

export function search(): void {
  const word = Math.random() < 0.2 ? pick(mistakes) : pick(words)
  send('GET', `/api/search/suggestions?q=${word.slice(0, 3)}`, { name: 'suggestions' })
  const number = Math.random() < 0.3 ? ` ${Math.floor(Math.random() * 60)}` : ''
  send('GET', `/api/listings?search=${encodeURIComponent(word + number)}${pick(orders)}`, { name: 'search' })
}
