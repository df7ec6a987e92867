import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { explainFileError, openDataDir } from './data-dir.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-data-dir-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const failure = (code: string, details = {}) => Object.assign(new Error(`${code}: a reason`), { code, ...details })

it('rejects a file in place of the data folder in one sentence', () => {
  const file = join(newFolder(), 'data')
  writeFileSync(file, '')
  expect(() => openDataDir(file)).toThrow(`The data folder ${file} is not usable (EEXIST: file already exists`)
})

it.each(['lock', 'secrets.json'])('rejects a data folder whose %s cannot be opened in one sentence', (name) => {
  const folder = newFolder()
  mkdirSync(join(folder, name))
  expect(() => openDataDir(folder)).toThrow(`The data folder ${folder} is not usable (`)
})

it.each(['EACCES', 'ERR_SQLITE_ERROR'])('names the owner of a folder that denies access (%s)', (code) => {
  expect(explainFileError(failure(code), '/', 1000).message).toBe(
    'The data folder / belongs to another user (uid 0): start as that user, or set DATA_DIR to another folder.',
  )
})

it('does not name the owner of a folder on a full disk', () => {
  expect(explainFileError(failure('ENOSPC'), '/', 1000).message).toBe(
    'The data folder / is not usable (ENOSPC: a reason): set DATA_DIR to another folder.',
  )
})

it('returns any other error unchanged, also one of a file elsewhere', () => {
  for (const error of [failure('ECONNREFUSED'), failure('EACCES', { path: '/srv/clone' }), new Error('A defect')])
    expect(explainFileError(error, '/var/data', 1000)).toBe(error)
})
