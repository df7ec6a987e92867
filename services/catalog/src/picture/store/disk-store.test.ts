import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buildPublicApp } from '@marketplace/kit/http/http.ts'
import { unauthenticated } from '@marketplace/kit/errors/problem.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { expect, it } from 'vitest'
import { createDiskStore } from './disk-store.ts'
import { pictureStoreConformance } from './picture-store.conformance.ts'
import { uploadsRoutes } from './uploads.routes.ts'

const secret = 'a-secret-of-the-tests'

pictureStoreConformance('on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'))
  const store = createDiskStore(folder, secret)
  const app = buildPublicApp({
    name: 'store',
    log: openLog('test', 'silent'),
    verifyToken: () => Promise.reject(unauthenticated()),
  })
  uploadsRoutes(app, store)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    store,
    urlOf: ({ url }) => origin + url,
    async close() {
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
})

it('PHOTO-16 the store on disk leaves no partial file after a failed write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'))
  const store = createDiskStore(folder, secret)
  const terms = { contentType: 'image/jpeg', byteSize: 100, expiresAt: new Date(Date.now() + 60_000) }
  const { fields } = await store.signUpload({ ...terms, key: `uploads/${newId()}.jpg` })
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(50)
      throw new Error('The client left.')
    })(),
  )
  await expect(store.takeUpload(fields, broken)).rejects.toThrow('The client left.')
  expect(await readdir(join(folder, 'uploads'))).toEqual([])
  await rm(folder, { recursive: true })
})
