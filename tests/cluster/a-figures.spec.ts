import { deployables, workers } from '@marketplace/tools/generate/chart-values.ts'
import { readJson, tryKubectl } from './support/kubectl.ts'
import { expect, test } from '@playwright/test'
import { podPolling } from './cluster.ts'

interface Pod {
  metadata: { name: string; creationTimestamp: string; labels: Record<string, string> }
  spec: { containers: { resources: { limits: { memory: string } } }[] }
  status: {
    conditions: { type: string; lastTransitionTime: string }[]
    containerStatuses: { restartCount: number; state: { running: { startedAt: string } } }[]
  }
}

const seconds = (from?: string, to?: string) => (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000

test('a pod of each service runs, was never restarted and stays within its memory', async () => {
  const { items } = await readJson('get', 'pods', '-l', 'app.kubernetes.io/component=server')
  const pods: Pod[] = items
  // Metrics are available some time after the pods.
  const top = () => tryKubectl('top', 'pods', '--no-headers', '-l', 'app.kubernetes.io/component=server')
  await expect.poll(async () => (await top()).output.trim().split('\n').length, podPolling).toBe(pods.length)
  const { output } = await top()
  const used = new Map(output.split('\n').map((line) => [line.split(/\s+/)[0], line.split(/\s+/)] as const))
  for (const { metadata, spec, status } of pods) {
    const [container] = status.containerStatuses
    const ready = status.conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime
    const [, cpu, memory = ''] = used.get(metadata.name) ?? []
    const started = seconds(container?.state.running.startedAt, ready)
    const name = (metadata.labels['app.kubernetes.io/name'] ?? '').padEnd(10)
    process.stdout.write(
      `${name} created to ready ${seconds(metadata.creationTimestamp, ready)} s, process to ready ${started} s, at rest ${memory} and ${cpu}\n`,
    )
    expect(container?.restartCount).toBe(0)
    expect(Number.parseInt(memory)).toBeLessThan(Number.parseInt(spec.containers[0]?.resources.limits.memory ?? ''))
  }
  expect(new Set(pods.map(({ metadata }) => metadata.labels['app.kubernetes.io/name']))).toEqual(
    new Set([...deployables, ...workers.map(({ alias }) => alias)]),
  )
})
