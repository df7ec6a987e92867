import { describe, expect, it } from 'vitest'
import { remainingTime, withDeadline } from '../http/deadline.ts'
import { trace } from '../telemetry/trace.ts'
import { coalesceCalls, coalesceReads } from './coalesce.ts'

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a coalesced read', () => {
  it('shares a load without the deadline of any read, in the trace of the first read of its batch', async () => {
    const loads: { ids: readonly string[]; timeoutMs: number | undefined; requestId: string | undefined }[] = []
    const ends: (() => void)[] = []
    const reads = coalesceReads<string>({
      maxWaitMs: 60_000,
      maxIds: 100,
      async load(ids) {
        loads.push({ ids, timeoutMs: remainingTime(250), requestId: trace.current()?.requestId })
        await new Promise<void>((resolve) => ends.push(resolve))
        return new Map(ids.map((id) => [id, `value of ${id}`]))
      },
    })
    const read = (id: string) =>
      trace.run({ requestId: `request of ${id}`, traceparent: '' }, () => withDeadline(50, () => reads.get(id)))
    const values = [read('a')]
    // The next reads arrive during each load, so the queue is not empty until the last load.
    for (const ids of [['b', 'c'], ['d']]) {
      values.push(...ids.map(read))
      ends.at(-1)?.()
      await nextTick()
    }
    ends.at(-1)?.()

    expect(await Promise.all(values)).toEqual(['value of a', 'value of b', 'value of c', 'value of d'])
    expect(loads).toEqual([
      { ids: ['a'], timeoutMs: 250, requestId: 'request of a' },
      { ids: ['b', 'c'], timeoutMs: 250, requestId: 'request of b' },
      { ids: ['d'], timeoutMs: 250, requestId: 'request of d' },
    ])
  })
})

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
