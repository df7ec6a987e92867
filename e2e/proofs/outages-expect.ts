import { expect } from '../src/stack.ts'
import { allFeatures, features, type Feature } from './outages-features.ts'
import type { Scene } from './outages-scene.ts'

export const backMs = 60_000

interface Outcome {
  status: number
  hasRetryAfter: boolean
}

export async function askAll(scene: Scene, asked: readonly Feature[] = allFeatures): Promise<Map<Feature, Outcome>> {
  const asks = asked.map(async (feature) => {
    const { status, headers } = await features[feature](scene)
    return [feature, { status, hasRetryAfter: headers.has('retry-after') }] as const
  })
  return new Map(await Promise.all(asks))
}

/** What was not as it should be, in words. */
export function wrongIn(outcomes: ReadonlyMap<Feature, Outcome>, dead: readonly Feature[]): string[] {
  return [...outcomes].flatMap(([feature, { status, hasRetryAfter }]) => {
    const isRight = dead.includes(feature) ? status === 503 && hasRetryAfter : status < 300
    return isRight ? [] : [`${feature}: ${status}`]
  })
}

/** Everything else works meanwhile; afterwards everything does, by itself. */
export async function expectOutage(scene: Scene, dead: readonly Feature[]): Promise<void> {
  expect(wrongIn(await askAll(scene), dead)).toEqual([])
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
