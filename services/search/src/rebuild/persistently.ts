import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '@marketplace/kit/passing-error.ts'

const firstWaitMs = 50
const longestWaitMs = 5000

/** Does the work again for so long when what was in its way may pass: a neighbour that did not answer, two that wait for each other. */
export async function persistently<Result>(patienceMs: number, work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + patienceMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + waitMs > end) throw error
    }
    await sleep(waitMs)
  }
}
