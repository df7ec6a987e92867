import { describe, expect, it } from 'vitest'
import { coalesceCalls } from './coalesce.ts'

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a coalesced call', () => {
  it('runs one at a time, and the next one serves all callers that arrived meanwhile', async () => {
    const calls: PromiseWithResolvers<string>[] = []
    const call = coalesceCalls(() => {
      const deferred = Promise.withResolvers<string>()
      calls.push(deferred)
      return deferred.promise
    })
    const early = call()
    await nextTick()
    const late = [call(), call(), call()]
    await nextTick()
    expect(calls.length).toBe(1)

    calls[0]?.resolve('before')
    await nextTick()
    expect(calls.length).toBe(2)
    calls[1]?.resolve('after')
    expect(await Promise.all([early, ...late])).toEqual(['before', 'after', 'after', 'after'])
  })

  it('rejects for all callers that share it, and the next call still runs', async () => {
    let count = 0
    const call = coalesceCalls(async () => {
      count += 1
      if (count === 1) throw new Error('down')
      return count
    })

    await expect(Promise.all([call(), call()])).rejects.toThrow('down')
    expect(await call()).toBe(2)
  })
})
