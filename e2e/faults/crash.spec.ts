import { expectNoFindings, freezeAndCutAt, freezeAt, killAt, test, underLoad } from './faults.ts'
import { points } from './points.ts'

test.describe.configure({ timeout: 240_000 })

for (const { title, victim, at, isShort } of points) {
  test(`kill -9 ${title}`, { tag: isShort ? [] : '@long' }, async ({ stack }) => {
    const load = await underLoad(stack, () => killAt(stack, victim, at))
    await expectNoFindings(stack, load)
  })
}

for (const { title, victim, at } of points) {
  // Between statements the database may also give the process up; then others go on in its place.
  const isCut = at.point === 'before-commit' || at.point === 'before-statement'
  test(`frozen ${isCut ? 'and cut off ' : ''}${title}`, { tag: '@long' }, async ({ stack }) => {
    const load = await underLoad(stack, () => (isCut ? freezeAndCutAt(stack, victim, at) : freezeAt(victim, at)))
    await expectNoFindings(stack, load)
  })
}
