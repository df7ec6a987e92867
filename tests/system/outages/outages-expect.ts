import { expect } from '../../support/processes/stack.ts'
import { allFeatures, features, type Feature } from './outages-features.ts'
import type { OutageRecords } from './outage-records.ts'

export const recoveryTimeoutMs = 60_000

interface Outcome {
  status: number
  hasRetryAfter: boolean
}

export async function callAll(
  records: OutageRecords,
  chosen: readonly Feature[] = allFeatures,
): Promise<Map<Feature, Outcome>> {
  const calls = chosen.map(async (feature) => {
    const { status, headers } = await features[feature](records)
    return [feature, { status, hasRetryAfter: headers.has('retry-after') }] as const
  })
  return new Map(await Promise.all(calls))
}

/** Returns the features whose outcome is wrong, with their status. */
export function wrongIn(outcomes: ReadonlyMap<Feature, Outcome>, dead: readonly Feature[]): string[] {
  return [...outcomes].flatMap(([feature, { status, hasRetryAfter }]) => {
    const isRight = dead.includes(feature) ? status === 503 && hasRetryAfter : status < 300
    return isRight ? [] : [`${feature}: ${status}`]
  })
}

/** Expects that exactly the dead features respond 503. */
export async function expectOutage(records: OutageRecords, dead: readonly Feature[]): Promise<void> {
  expect(wrongIn(await callAll(records), dead)).toEqual([])
}

export async function expectRecovery(records: OutageRecords, dead: readonly Feature[]): Promise<void> {
  let left = dead
  const recover = async () => {
    // A repeated action may be rejected (409), and a call that timed out may have taken effect.
    const outcomes = await callAll(records, left)
    left = left.filter((feature) => !hasRecovered(outcomes.get(feature)?.status ?? 0))
    return left
  }
  await expect.poll(recover, { timeout: recoveryTimeoutMs, intervals: [250] }).toEqual([])
}

function hasRecovered(status: number): boolean {
  return (status >= 200 && status < 300) || status === 409
}
