import { DEPLOYABLES } from '@marketplace/dev/charts/values.ts'
import { underLoad } from '@marketplace/dev/cluster/load.ts'
import { expect, test } from '@playwright/test'
import { openMarket, readyPods, release } from './cluster.ts'

test.setTimeout(600_000)

for (const service of DEPLOYABLES)
  test(`no request is lost while ${service} is rolled under load`, async () => {
    const { market, people } = await openMarket(6, `rolling-${service}`)
    const before = await readyPods(service)
    const answered = await underLoad(market, people, async () => {
      const { code, output } = await release(service, 'two')
      expect(output).toContain(`released ${service} two`)
      expect(code).toBe(0)
    })
    process.stdout.write(`rolled ${service}: ${JSON.stringify(answered)}\n`)
    expect(await readyPods(service)).not.toEqual(before)
    expect(answered.failed).toEqual({})
    expect(answered.ok).toBeGreaterThan(100)
  })
