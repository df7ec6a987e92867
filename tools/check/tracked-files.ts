import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/run.ts'

/** Lists the files of the working tree that Git tracks or would track, as paths from the root. */
export function listTrackedFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
    .toString()
    .split('\0')
    .filter((path) => path !== '')
  // A file that was deleted and not yet committed is still listed.
  return [...new Set(paths)].filter((path) => existsSync(join(root, path))).toSorted()
}
