import { withManifests } from '../../deploy/tools.ts'
import { kubectl, namespace } from './kubectl.ts'

const quota = { 'requests.cpu': '8', 'requests.memory': '16Gi', 'limits.memory': '32Gi', pods: '80' }

// The strictest Pod Security Standard, and a quota that rejects pods without resources.
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

/** Creates the namespace in which the marketplace is installed. */
export async function createNamespace(): Promise<void> {
  await withManifests(manifests, (file) => kubectl('apply', '--filename', file))
  // The API server enforces the quota by its status, which a controller maintains. No controller runs in stage B.
  const used = Object.fromEntries(Object.keys(quota).map((name) => [name, '0']))
  const status = JSON.stringify({ status: { hard: quota, used } })
  await kubectl('patch', 'resourcequota', 'all', '--subresource=status', '--type=merge', '--patch', status)
}

/** Creates or replaces a Secret. */
export async function putSecret(name: string, values: Readonly<Record<string, string>>): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData: values }
  await withManifests([secret], (file) => kubectl('apply', '--filename', file))
}
