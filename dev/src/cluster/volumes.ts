import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterHome, withManifests } from '../charts/tools.ts'
import { kubectl, namespace } from './kubectl.ts'

// Who runs in the servers' pods.
const user = 65_532

/** Folders of this machine as the volumes of Postgres and Kafka, so that what they hold outlives their pods. */
export async function makeVolumes(): Promise<void> {
  const volumes = await Promise.all(['postgres', 'kafka'].map(makeVolume))
  await withManifests(volumes, (file) => kubectl('apply', '--filename', file))
}

async function makeVolume(name: string) {
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
