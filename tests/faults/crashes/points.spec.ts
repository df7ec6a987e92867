import { expect } from '../../support/processes/stack.ts'
import { faultPoints } from '../injection/fault-points.ts'
import { expectNoViolations, reach, test, underLoad, victims, type Victim } from '../load/faults.ts'

test.describe.configure({ timeout: 240_000 })

/** Returns the fault points of this service that were not reached, each with its error. */
async function findUnreached(victim: Victim): Promise<string[]> {
  const unreached: string[] = []
  for (const [title, point] of Object.entries(faultPoints)) {
    if (point.victim !== victim) continue
    const passed = reach(victim, { ...point.at, action: 'pass' })
    await passed.catch((error: unknown) => unreached.push(`${title}: ${String(error)}`))
  }
  return unreached
}

test('under load every fault point is reached', async ({ stack }) => {
  const unreached: string[] = []
  const load = await underLoad(stack, async () => {
    unreached.push(...(await Promise.all(victims.map(findUnreached))).flat())
  })
  expect(unreached).toEqual([])
  await expectNoViolations(stack, load)
})
