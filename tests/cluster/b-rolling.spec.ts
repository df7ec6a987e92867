import { deployables } from '@marketplace/tools/generate/chart-values.ts'
import { underLoad } from './support/load.ts'
import { expect, test } from '@playwright/test'
import { prepareLoadTarget, readyPods, release } from './cluster.ts'

test.setTimeout(600_000)

for (const service of deployables)
  test(`no request is lost while ${service} is rolled under load`, async () => {
    const { target, people } = await prepareLoadTarget(6, `rolling-${service}`)
    const before = await readyPods(service)
    const result = await underLoad(target, people, async () => {
      const { code, output } = await release(service, 'two')
      expect(output).toContain(`released ${service} two`)
      expect(code).toBe(0)
    })
    process.stdout.write(`rolled ${service}: ${JSON.stringify(result)}\n`)
    expect(await readyPods(service)).not.toEqual(before)
    expect(result.failed).toEqual({})
    expect(result.ok).toBeGreaterThan(100)
  })
