import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../run/run.ts'
import { findLockFileViolations } from './lock-file.ts'

const lockFile = (entry: object) => JSON.stringify({ packages: { '': {}, 'node_modules/left-pad': entry } })
const resolved = 'https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz'

it('K7 has an integrity hash and the public registry in every entry of the lock file', async () => {
  expect(findLockFileViolations(await readFile(join(root, 'package-lock.json'), 'utf8'))).toEqual([])
})

it.each([
  ['without integrity', { resolved }],
  ['from git', { resolved: 'git+ssh://git@github.com/left/pad.git#1', integrity: 'sha512-a' }],
  ['over http', { resolved: resolved.replace('https', 'http'), integrity: 'sha512-a' }],
])('K7 rejects an entry %s', (_name, entry) => {
  expect(findLockFileViolations(lockFile(entry))).toEqual(['node_modules/left-pad'])
})

it('accepts an entry of the public registry with its integrity hash', () => {
  expect(findLockFileViolations(lockFile({ resolved, integrity: 'sha512-a' }))).toEqual([])
})
