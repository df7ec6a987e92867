import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { storeAdminUrl } from '../launcher/database.ts'
import { resolveAdminUrl } from './admin-url.ts'

const server = 'postgres://postgres:secret@127.0.0.1:6000'
const adminUrl = `${server}/marketplace`

function newDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-admin-url-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return dataDir
}

it.each(['', '/postgres', '/marketplace'])('a DATABASE_URL with the path %o selects a server', (path) => {
  expect(resolveAdminUrl({ DATABASE_URL: server + path, DATA_DIR: newDataDir() })).toBe(adminUrl)
})

it('the admin’s URL is the one that the running marketplace stored, readable by its user only', async () => {
  const dataDir = newDataDir()
  const none = `No marketplace runs in ${dataDir}: start one there, or set DATABASE_URL`
  expect(() => resolveAdminUrl({ DATA_DIR: dataDir })).toThrow(none)
  const deleteUrl = storeAdminUrl(dataDir, adminUrl)
  expect(resolveAdminUrl({ DATA_DIR: dataDir, DATABASE_URL: '' })).toBe(adminUrl)
  expect(statSync(join(dataDir, 'database.json')).mode & 0o777).toBe(0o600)
  await deleteUrl()
  expect(() => resolveAdminUrl({ DATA_DIR: dataDir })).toThrow(none)
})

it('there is no admin’s URL after the launcher was killed', () => {
  const dataDir = newDataDir()
  // Above the highest process id of Linux.
  writeFileSync(join(dataDir, 'database.json'), JSON.stringify({ pid: 2 ** 22 + 1, adminUrl }))
  expect(() => resolveAdminUrl({ DATA_DIR: dataDir })).toThrow(`No marketplace runs in ${dataDir}`)
})
