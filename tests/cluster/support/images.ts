import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterHome } from '../../deploy/tools.ts'
import { deployables } from '@marketplace/tools/generate/chart-values.ts'
import { script } from './script.ts'

/** The folder of the released images' archives, each named after its workspace. */
export const archives = join(clusterHome, 'images')

/** The arguments with which ctr uses the node's own containerd. */
export const containerd = ['-a', join(clusterHome, 'run/containerd.sock'), '-n', 'k8s.io']

/** Builds the images that are missing or of another commit, as archives that the node imports. */
export async function buildImages(tag: string): Promise<void> {
  const revision = (await script('git', ['rev-parse', 'HEAD'])).trim()
  const revisionOf = (name: string) => readFile(join(archives, `${name}.revision`), 'utf8').catch(() => '')
  const names = [...deployables, 'ops']
  const built = await Promise.all(names.map(async (name) => [name, (await revisionOf(name)).trim()] as const))
  const missing = built.filter(([, of]) => of !== revision).map(([name]) => name)
  if (missing.length > 0) {
    await script('deploy/images/base.sh')
    await script('deploy/images/build.sh', missing, { ARCHIVES: archives, TAG: tag })
  }
  if (!existsSync(join(archives, 'servers.tar'))) await script('deploy/images/servers.sh', [], { ARCHIVES: archives })
}

/** Tags the same images again, which the cluster treats as another version. */
export async function tagAgain(tag: string, second: string): Promise<void> {
  for (const name of deployables) {
    const image = `docker.io/marketplace/${name}`
    await script('ctr', [...containerd, 'images', 'tag', '--force', `${image}:${tag}`, `${image}:${second}`])
  }
}
