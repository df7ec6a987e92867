import { withManifests } from '../charts/tools.ts'
import { kubectl, namespace } from './kubectl.ts'

const quota = { 'requests.cpu': '8', 'requests.memory': '16Gi', 'limits.memory': '32Gi', pods: '80' }

// The strictest standard of Kubernetes, and a quota: a pod that names no resources is refused.
const manifests = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: {
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'latest',
        'pod-security.kubernetes.io/warn': 'restricted',
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'all', namespace },
    spec: { hard: quota },
  },
]

/** The namespace that the marketplace is installed in. */
export async function makeNamespace(): Promise<void> {
  await withManifests(manifests, (file) => kubectl('apply', '--filename', file))
  // The API server goes by the status, which a controller keeps; in stage B none runs.
  const used = Object.fromEntries(Object.keys(quota).map((name) => [name, '0']))
  const status = JSON.stringify({ status: { hard: quota, used } })
  await kubectl('patch', 'resourcequota', 'all', '--subresource=status', '--type=merge', '--patch', status)
}

/** Makes a Secret, or makes it anew. */
export async function putSecret(name: string, values: Readonly<Record<string, string>>): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: values }
  await withManifests([secret], (file) => kubectl('apply', '--filename', file))
}
