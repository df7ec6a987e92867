import { crashPoints, type FaultPoint } from '../injection/fault-points.ts'
import { expectNoViolations, freezeAndCutAt, freezeAt, killAt, test, underLoad } from '../load/faults.ts'

test.describe.configure({ timeout: 240_000 })

const titledPoints = Object.entries<FaultPoint>(crashPoints)

for (const [title, { victim, at }] of titledPoints) {
  test(`kill -9 ${title}`, async ({ stack }) => {
    const load = await underLoad(stack, () => killAt(stack, victim, at))
    await expectNoViolations(stack, load)
  })
}

for (const [title, { victim, at }] of titledPoints) {
  // Between statements the database may also end the session; then other processes take over its work.
  const isCut = at.point === 'before-commit' || at.point === 'before-statement'
  test(`frozen ${isCut ? 'and cut off ' : ''}${title}`, { tag: '@nightly' }, async ({ stack }) => {
    const load = await underLoad(stack, () => (isCut ? freezeAndCutAt(stack, victim, at) : freezeAt(victim, at)))
    await expectNoViolations(stack, load)
  })
}
