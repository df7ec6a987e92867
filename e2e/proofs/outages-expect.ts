import { expect } from '../src/stack.ts'
import { allFeatures, features, type Feature } from './outages-features.ts'
import type { Scene } from './outages-scene.ts'

// A gateway waits 5 s for the head of an answer, 15 s where the service waits for others; a machine that is busy, longer.
export const [quicklyMs, inTimeMs, backMs] = [4500, 17_000, 40_000]

interface Outcome {
  status: number
  hasRetryAfter: boolean
  ms: number
}

export async function askAll(scene: Scene, asked: readonly Feature[] = allFeatures): Promise<Map<Feature, Outcome>> {
  const asks = asked.map(async (feature) => {
    const start = performance.now()
    const { status, headers } = await features[feature](scene)
    return [feature, { status, hasRetryAfter: headers.has('retry-after'), ms: performance.now() - start }] as const
  })
  return new Map(await Promise.all(asks))
}

/** What was not as it should be, in words. */
export function wrongIn(outcomes: ReadonlyMap<Feature, Outcome>, dead: readonly Feature[], withinMs: number): string[] {
  return [...outcomes].flatMap(([feature, { status, hasRetryAfter, ms }]) => {
    const isRight = dead.includes(feature) ? status === 503 && hasRetryAfter : status < 300
    const isQuick = ms < withinMs
    return isRight && isQuick ? [] : [`${feature}: ${status} after ${Math.round(ms)} ms`]
  })
}

/** Everything else works meanwhile; afterwards everything does, by itself. */
export async function expectOutage(scene: Scene, dead: readonly Feature[], withinMs: number): Promise<void> {
  expect(wrongIn(await askAll(scene), dead, withinMs)).toEqual([])
}

export async function expectRecovery(scene: Scene, dead: readonly Feature[]): Promise<void> {
  let left = dead
  const recover = async () => {
    // What was done once may be refused the second time; a call that was given up may have been done after all.
    const outcomes = await askAll(scene, left)
    left = left.filter((feature) => !isBack(outcomes.get(feature)?.status ?? 0))
    return left
  }
  await expect.poll(recover, { timeout: backMs, intervals: [250] }).toEqual([])
}

function isBack(status: number): boolean {
  return (status >= 200 && status < 300) || status === 409
}
