import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import { openLog } from './log.ts'
import { startSweeper } from './sweeper.ts'

const log = openLog('test', 'silent')
const never = 3_600_000

describe('a sweeper', () => {
  it('sweeps again at once while there is something to do, then waits', async () => {
    const left = [2, 1, 0, 5]
    const sweeper = startSweeper({ name: 'test', everyMs: never, log, sweep: async () => left.shift() ?? 0 })
    await eventually(() => left.length === 1)
    await sweeper.stop()
    expect(left).toEqual([5])
  })

  it('goes on after a sweep that failed', async () => {
    let sweeps = 0
    const sweep = async () => {
      sweeps += 1
      if (sweeps === 1) throw new Error('not now')
      return 0
    }
    const sweeper = startSweeper({ name: 'test', everyMs: 1, log, sweep })
    expect(await eventually(() => sweeps > 2)).toBe(true)
    await sweeper.stop()
  })

  it('stops only after the sweep under way is done', async () => {
    let isDone = false
    let hasBegun = false
    const sweep = async () => {
      hasBegun = true
      await new Promise((done) => setTimeout(done, 30))
      isDone = true
      return 0
    }
    const sweeper = startSweeper({ name: 'test', everyMs: 1, log, sweep })
    await eventually(() => hasBegun)
    await sweeper.stop()
    expect(isDone).toBe(true)
  })
})
