import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run, type Finished } from '../run/run.ts'

/** Checks whether `proto/` breaks the version of the previous commit. Passes with a note when there is none. */
export async function checkProtocolBreaks(repo = root, before = 'HEAD~1'): Promise<Finished> {
  const commit = await run('git', ['rev-parse', '--verify', '--quiet', `${before}^{commit}`], { cwd: repo })
  if (commit.code !== 0) return note(`there is no ${before} (a shallow clone, or the first commit)`)
  const listed = await run('git', ['ls-tree', '--name-only', before, 'proto/buf.yaml'], { cwd: repo })
  if (listed.output.trim() === '') return note(`${before} has no protocol`)
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-proto-'))
  try {
    const archive = join(folder, 'proto.tar')
    const packed = await run('git', ['archive', '--output', archive, before, 'proto'], { cwd: repo })
    if (packed.code !== 0) return packed
    const unpacked = await run('tar', ['-xf', archive, '-C', folder], { cwd: repo })
    if (unpacked.code !== 0) return unpacked
    return await run('buf', ['breaking', '--against', join(folder, 'proto')], { cwd: join(repo, 'proto') })
  } finally {
    await rm(folder, { recursive: true })
  }
}

function note(why: string): Finished {
  return { code: 0, output: `Note: nothing was compared, because ${why}.` }
}
