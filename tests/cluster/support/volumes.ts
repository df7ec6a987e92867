import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterHome, withManifests } from '../../deploy/tools.ts'
import { kubectl, namespace } from './kubectl.ts'

// The user of the servers' pods.
const user = 65_532

/** Creates volumes for Postgres and Kafka on folders of this machine. Their data is kept when the pods are deleted. */
export async function createVolumes(): Promise<void> {
  const volumes = await Promise.all(['postgres', 'kafka'].map(createVolume))
  await withManifests(volumes, (file) => kubectl('apply', '--filename', file))
}

async function createVolume(name: string) {
  const path = join(clusterHome, 'run/volumes', name)
  await mkdir(path, { recursive: true })
  await chown(path, user, user)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace, name: `data-${name}-0` },
      hostPath: { path },
    },
  }
}
