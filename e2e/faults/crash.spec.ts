import { test } from '../src/stack.ts'
import { expectNoFindings, faultStack, freezeAt, frozenMs, killAt, underLoad } from './faults.ts'
import { points } from './points.ts'

test.use({ stackOptions: faultStack })

for (const { title, victim, at, isShort } of points) {
  test(`kill -9 ${title}`, { tag: isShort ? [] : '@long' }, async ({ stack }) => {
    const load = await underLoad(stack, () => killAt(stack, victim, at))
    await expectNoFindings(stack, load)
  })
}

for (const { title, victim, at } of points) {
  test(`frozen for ${frozenMs} ms ${title}`, { tag: '@long' }, async ({ stack }) => {
    const load = await underLoad(stack, () => freezeAt(victim, at))
    await expectNoFindings(stack, load)
  })
}
