import type { BusEvent } from './bus.ts'
import { newId } from './ids.ts'

export function eventOf(topic: string, key: string, version: number): BusEvent {
  return {
    id: newId(),
    topic,
    key,
    type: 'marketplace.auction.v1.BidPlaced',
    occurredAt: new Date().toISOString(),
    version,
    traceparent: null,
    payload: { listingId: key, number: String(version) },
  }
}

/** One event of each of these versions for each key, versions first. */
export function eventsOf(topic: string, keys: number, versions: readonly number[]): BusEvent[] {
  return versions.flatMap((version) => Array.from({ length: keys }, (_, key) => eventOf(topic, `key-${key}`, version)))
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** What arrived, by key, without repetitions. */
export function firstVersions(arrived: readonly BusEvent[]): Record<string, number[]> {
  const seen = new Set<string>()
  const versions: Record<string, number[]> = {}
  for (const { id, key, version } of arrived) {
    if (!seen.has(id)) (versions[key] ??= []).push(version)
    seen.add(id)
  }
  return versions
}

/** What must have arrived when every key had these versions in order. */
export function everyKey(keys: number, versions: readonly number[]): Record<string, number[]> {
  return Object.fromEntries(Array.from({ length: keys }, (_, key) => [`key-${key}`, [...versions]]))
}

export function distinct(...arrived: (readonly BusEvent[])[]): number {
  return new Set(arrived.flat().map(({ id }) => id)).size
}
