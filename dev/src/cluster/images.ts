import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterHome } from '../charts/tools.ts'
import { DEPLOYABLES } from '../charts/values.ts'
import { script } from './script.ts'

const archives = join(clusterHome, 'images')

/** ctr's arguments for the node's own containerd. */
export const containerd = ['-a', join(clusterHome, 'run/containerd.sock'), '-n', 'k8s.io']

/** Builds, as archives that the node imports, the images that are not there yet or are of another commit. */
export async function buildImages(tag: string): Promise<void> {
  const revision = (await script('git', ['rev-parse', 'HEAD'])).trim()
  const revisionOf = (name: string) => readFile(join(archives, `${name}.revision`), 'utf8').catch(() => '')
  const built = await Promise.all(DEPLOYABLES.map(async (name) => [name, (await revisionOf(name)).trim()] as const))
  const missing = built.filter(([, of]) => of !== revision).map(([name]) => name)
  if (missing.length > 0) {
    await script('deploy/images/base.sh')
    await script('deploy/images/build.sh', missing, { ARCHIVES: archives, TAG: tag })
  }
  if (!existsSync(join(archives, 'servers.tar'))) await script('deploy/images/servers.sh', [], { ARCHIVES: archives })
}

/** The same images under a second tag, which is another version to those who roll pods. */
export async function tagAgain(tag: string, second: string): Promise<void> {
  for (const name of DEPLOYABLES) {
    const image = `docker.io/marketplace/${name}`
    await script('ctr', [...containerd, 'images', 'tag', '--force', `${image}:${tag}`, `${image}:${second}`])
  }
}
