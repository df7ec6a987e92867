import { describe, expect, it } from 'vitest'
import { shareNext } from './share-next.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a shared call', () => {
  it('is one at a time, and the next one for all who asked while it ran', async () => {
    const calls: PromiseWithResolvers<string>[] = []
    const call = shareNext(() => {
      const made = Promise.withResolvers<string>()
      calls.push(made)
      return made.promise
    })
    const early = call()
    await turn()
    const late = [call(), call(), call()]
    await turn()
    expect(calls.length).toBe(1)

    calls[0]?.resolve('before')
    await turn()
    expect(calls.length).toBe(2)
    calls[1]?.resolve('after')
    expect(await Promise.all([early, ...late])).toEqual(['before', 'after', 'after', 'after'])
  })

  it('fails for those who shared it, and the next is made all the same', async () => {
    let count = 0
    const call = shareNext(async () => {
      count += 1
      if (count === 1) throw new Error('down')
      return count
    })

    await expect(Promise.all([call(), call()])).rejects.toThrow('down')
    expect(await call()).toBe(2)
  })
})
