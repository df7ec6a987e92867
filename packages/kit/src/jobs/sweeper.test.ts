import { eventually } from '@marketplace/testing/eventually.ts'
import { describe, expect, it } from 'vitest'
import { openLog } from '../telemetry/log.ts'
import { registry } from '../telemetry/metrics.ts'
import { startSweeper } from './sweeper.ts'

const log = openLog('test', 'silent')
const hourMs = 3_600_000

describe('a sweeper', () => {
  it('sweeps again immediately after rows were handled, then waits', async () => {
    const remaining = [2, 1, 0, 5]
    const sweeper = startSweeper({ name: 'test', intervalMs: hourMs, log, sweep: async () => remaining.shift() ?? 0 })
    await eventually(() => remaining.length === 1)
    await sweeper.stop()
    expect(remaining).toEqual([5])
  })

  it('continues after a failed sweep', async () => {
    let sweeps = 0
    const sweep = async () => {
      sweeps += 1
      if (sweeps === 1) throw new Error('not now')
      return 0
    }
    const sweeper = startSweeper({ name: 'test', intervalMs: 1, log, sweep })
    expect(await eventually(() => sweeps > 2)).toBe(true)
    await sweeper.stop()
  })

  // Prometheus does not count the first event of a series that begins at 1.
  it('counts 0 failures before its first failure', async () => {
    const sweeper = startSweeper({ name: 'without failure', intervalMs: hourMs, log, sweep: async () => 0 })
    await sweeper.stop()
    const text = await registry.getSingleMetricAsString('sweep_failures_total')
    expect(text).toContain('sweep_failures_total{sweep="without failure"} 0')
  })

  it('stops after the running sweep has finished', async () => {
    let isDone = false
    let hasStarted = false
    const sweep = async () => {
      hasStarted = true
      await new Promise((done) => setTimeout(done, 30))
      isDone = true
      return 0
    }
    const sweeper = startSweeper({ name: 'test', intervalMs: 1, log, sweep })
    await eventually(() => hasStarted)
    await sweeper.stop()
    expect(isDone).toBe(true)
  })
})
