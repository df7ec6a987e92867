import { kubectl, tryKubectl } from '@marketplace/dev/cluster/kubectl.ts'
import { underLoad } from '@marketplace/dev/cluster/load.ts'
import { expect, test } from '@playwright/test'
import { openMarket, readyPods, untilReady } from './cluster.ts'

test.setTimeout(600_000)

test('a drain takes one pod of a service and waits with the other, which goes on answering', async () => {
  await kubectl('scale', 'deployment', 'catalog', '--replicas=2')
  await untilReady('catalog', 2)
  const { market, people } = await openMarket(4, 'drain')
  try {
    const answered = await underLoad(market, people, async () => {
      const only = ['--pod-selector', 'app.kubernetes.io/name=catalog', '--delete-emptydir-data', '--timeout=60s']
      const { code, output } = await tryKubectl('drain', 'node1', ...only)
      // There is no other node for the first pod to start on, so the budget keeps the second.
      expect(output).toContain("violate the pod's disruption budget")
      expect(code).toBe(1)
      expect(await readyPods('catalog')).toHaveLength(1)
    })
    process.stdout.write(`drained: ${JSON.stringify(answered)}\n`)
    expect(answered.failed).toEqual({})
  } finally {
    await kubectl('uncordon', 'node1')
    await untilReady('catalog', 2)
    await kubectl('scale', 'deployment', 'catalog', '--replicas=1')
  }
})
