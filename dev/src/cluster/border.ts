// A change that crosses borders between services, in the steps it is shipped in: each a commit of its own on top of HEAD.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../run.ts'
import { containerd } from './images.ts'
import { script } from './script.ts'

export interface BorderStep {
  patch: string
  service: 'gateway' | 'auction'
  tag: string
}

const patches = 'e2e/cluster/border'

/** First who reads, then who writes and answers, then who lets in. */
export const borderSteps: readonly BorderStep[] = [
  { patch: '1-read-the-leader.patch', service: 'gateway', tag: 'reads-leader' },
  { patch: '2-send-the-leader.patch', service: 'auction', tag: 'sends-leader' },
  { patch: '3-name-the-route.patch', service: 'gateway', tag: 'names-route' },
]

/** Says which patches do not fit the tree as it is. */
export async function patchesThatRot(): Promise<string[]> {
  const files = (await readdir(join(root, patches))).toSorted()
  const checked = await Promise.all(
    files.map(async (file) => {
      const applied = await script('git', ['apply', '--check', join(patches, file)]).catch((error: unknown) => error)
      return applied instanceof Error ? [`${file}: ${applied.message}`] : []
    }),
  )
  return checked.flat()
}

/** Builds each step's image from a clone that has the steps before it too, and hands it to the node. */
export async function buildBorderSteps(folder: string): Promise<void> {
  const clone = join(folder, 'clone')
  await script('git', ['clone', '--quiet', '.', clone])
  const git = (...args: readonly string[]) => script('git', ['-C', clone, ...args])
  for (const { patch, service, tag } of borderSteps) {
    await git('apply', join(root, patches, patch))
    await script('buf', [
      'generate',
      join(clone, 'proto'),
      '--template',
      join(clone, 'proto/buf.gen.yaml'),
      '--output',
      join(clone, 'proto'),
    ])
    await git(
      '-c',
      'user.name=Marketplace',
      '-c',
      'user.email=team@example.com',
      'commit',
      '--quiet',
      '--all',
      '-m',
      patch,
    )
    await script(join(clone, 'deploy/images/build.sh'), [service], { ARCHIVES: folder, TAG: tag })
    await script('ctr', [...containerd, 'images', 'import', join(folder, `${service}.tar`)])
  }
}
