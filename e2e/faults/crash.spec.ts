import { test } from '../src/stack.ts'
import { expectNoFindings, faultStack, freezeAndCutAt, freezeAt, killAt, underLoad } from './faults.ts'
import { points } from './points.ts'

test.use({ stackOptions: faultStack })

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
