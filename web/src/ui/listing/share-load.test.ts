import { expect, it } from 'vitest'
import { shareLoad } from './share-load.ts'

/** Returns a shared load whose first `failures` calls fail, and a function that returns the number of its calls. */
function failingLoad(failures: number) {
  let calls = 0
  const load = shareLoad(async () => {
    calls++
    if (calls <= failures) throw new Error(`Failure ${calls}`)
  })
  return { load, countCalls: () => calls }
}

it('loads once for calls during and after the load', async () => {
  const { load, countCalls } = failingLoad(0)
  await Promise.all([load(), load()])
  await load()
  expect(countCalls()).toBe(1)
})

it('loads again after a failure, which rejects the calls that shared it', async () => {
  const { load, countCalls } = failingLoad(1)
  const settled = await Promise.allSettled([load(), load()])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await load()
  await load()
  expect(countCalls()).toBe(2)
})
