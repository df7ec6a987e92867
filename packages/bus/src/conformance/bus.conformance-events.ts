import type { BusEvent } from '@marketplace/kit/events/bus.ts'
import { newId } from '@marketplace/kit/values/ids.ts'

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

/** Builds one event for each version of each key, ordered by version. */
export function eventsOf(topic: string, keys: number, versions: readonly number[]): BusEvent[] {
  return versions.flatMap((version) => Array.from({ length: keys }, (_, key) => eventOf(topic, `key-${key}`, version)))
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Returns the received versions of each key in the order of their first delivery, without redeliveries. */
export function firstVersions(received: readonly BusEvent[]): Record<string, number[]> {
  const seen = new Set<string>()
  const versions: Record<string, number[]> = {}
  for (const { id, key, version } of received) {
    if (!seen.has(id)) (versions[key] ??= []).push(version)
    seen.add(id)
  }
  return versions
}

/** Returns the result that `firstVersions` must have if every key received `versions` in order. */
export function everyKey(keys: number, versions: readonly number[]): Record<string, number[]> {
  return Object.fromEntries(Array.from({ length: keys }, (_, key) => [`key-${key}`, [...versions]]))
}

export function countDistinct(...received: (readonly BusEvent[])[]): number {
  return new Set(received.flat().map(({ id }) => id)).size
}
