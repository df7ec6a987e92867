import { kubectl, tryKubectl } from './support/kubectl.ts'
import { underLoad } from './support/load.ts'
import { expect, test } from '@playwright/test'
import { prepareLoadTarget, readyPods, waitUntilReady } from './cluster.ts'

test.setTimeout(600_000)

test('a drain evicts one pod of a service and keeps the other, which continues to respond', async () => {
  await kubectl('scale', 'deployment', 'catalog', '--replicas=2')
  await waitUntilReady('catalog', 2)
  const { target, people } = await prepareLoadTarget(4, 'drain')
  try {
    const result = await underLoad(target, people, async () => {
      const only = ['--pod-selector', 'app.kubernetes.io/name=catalog', '--delete-emptydir-data', '--timeout=60s']
      const { code, output } = await tryKubectl('drain', 'node1', ...only)
      // The cluster has one node, so the evicted pod cannot start elsewhere and the disruption budget keeps the second.
      expect(output).toContain("violate the pod's disruption budget")
      expect(code).toBe(1)
      expect(await readyPods('catalog')).toHaveLength(1)
    })
    process.stdout.write(`drained: ${JSON.stringify(result)}\n`)
    expect(result.failed).toEqual({})
  } finally {
    await kubectl('uncordon', 'node1')
    await waitUntilReady('catalog', 2)
    await kubectl('scale', 'deployment', 'catalog', '--replicas=1')
  }
})
