import type { Goal } from './bench.ts'
import { spread } from './statistics.ts'

/** Formats `12.3 (11.9–14.0)`: median, minimum and maximum of the repetitions. */
export function withSpread(values: readonly number[]): string {
  if (values.length === 0) return '–'
  const { median, least, most } = spread(values)
  return values.length === 1 ? number(median) : `${number(median)} (${number(least)}–${number(most)})`
}

export function number(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  return size >= 10 ? value.toFixed(1) : value.toFixed(size >= 0.1 || size === 0 ? 2 : 3)
}

export function isMet({ bound, target, values }: Goal): boolean {
  const { median } = spread(values)
  return bound === 'at least' ? median >= target : median <= target
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
