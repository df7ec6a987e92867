import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clusterHome } from '../charts/tools.ts'
import { DEPLOYABLES } from '../charts/values.ts'
import { script } from './script.ts'

const archives = join(clusterHome, 'images')

/** Builds, as archives that the node imports, the images that are not there yet. */
export async function buildImages(tag: string): Promise<void> {
  const missing = DEPLOYABLES.filter((name) => !existsSync(join(archives, `${name}.tar`)))
  if (missing.length > 0) await script('deploy/images/build.sh', missing, { ARCHIVES: archives, TAG: tag })
  if (!existsSync(join(archives, 'servers.tar'))) await script('deploy/images/servers.sh', [], { ARCHIVES: archives })
}

/** The same images under a second tag, which is another version to those who roll pods. */
export async function tagAgain(tag: string, second: string): Promise<void> {
  const ctr = ['-a', join(clusterHome, 'run/containerd.sock'), '-n', 'k8s.io', 'images', 'tag', '--force']
  for (const name of DEPLOYABLES) {
    const image = `docker.io/marketplace/${name}`
    await script('ctr', [...ctr, `${image}:${tag}`, `${image}:${second}`])
  }
}
