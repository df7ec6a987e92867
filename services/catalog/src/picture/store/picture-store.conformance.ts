import { request } from 'node:http'
import { newId } from '@marketplace/kit/values/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ObjectChanged, type PictureStore, type UploadForm } from './picture-store.ts'

export interface TestStore {
  store: PictureStore
  /** Resolves the URL of a form. */
  urlOf(form: UploadForm): string
  close(): Promise<void>
}

const contentType = 'image/jpeg'
const file = Buffer.from('the bytes of a photo'.repeat(100))
const timeoutMs = 5000
const minuteMs = 60_000

/** Defines the tests that every store of pictures must pass. */
export function pictureStoreConformance(driver: string, open: () => Promise<TestStore>): void {
  describe(`the store of pictures ${driver}`, () => {
    let opened: TestStore
    let store: PictureStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    const newKey = () => `uploads/${newId()}.jpg`
    const sign = (key: string, expiresInMs = minuteMs) =>
      store.signUpload({ key, contentType, byteSize: file.length, expiresAt: new Date(Date.now() + expiresInMs) })
    const head = (key: string) => store.head(key, timeoutMs)

    async function send(form: UploadForm, body: Buffer = file, changes: Record<string, string | null> = {}) {
      const data = new FormData()
      for (const [name, value] of Object.entries({ ...form.fields, ...changes }))
        if (value !== null) data.append(name, value)
      data.append('file', new Blob([Uint8Array.from(body)]), 'photo.jpg')
      const response = await fetch(opened.urlOf(form), { method: 'POST', body: data })
      await response.text()
      return response.status
    }

    // Whether a form was refused without storing anything.
    const isRefused = async (key: string, status: number) =>
      [400, 403, 413].includes(status) && (await head(key)) === null

    it('PHOTO-16 takes the announced file, and returns it by its ETag', async () => {
      const key = newKey()
      expect(await head(key)).toBeNull()
      expect(await send(await sign(key))).toBe(201)
      const object = await head(key)
      expect(object).toMatchObject({ byteSize: file.length, contentType })
      expect((await store.read(key, object?.etag ?? '')).equals(file)).toBe(true)
    })

    it('PHOTO-16 returns no file that replaced another', async () => {
      const key = newKey()
      const form = await sign(key)
      await send(form)
      const before = await head(key)
      await send(form, Buffer.from(file).fill(1, 0, 10))
      await expect(store.read(key, before?.etag ?? '')).rejects.toThrow(ObjectChanged)
      await expect(store.read(newKey(), before?.etag ?? '')).rejects.toThrow(ObjectChanged)
    })

    it('PHOTO-16 refuses an expired form', async () => {
      const key = newKey()
      const form = await sign(key, 1000)
      await expect.poll(() => send(form), { timeout: 10_000, interval: 400 }).toBeGreaterThanOrEqual(400)
      await store.remove([key])
      expect(await isRefused(key, await send(form))).toBe(true)
    })

    it.each([
      ['another key', (key: string) => ({ key: key.replace('.jpg', '.png') })],
      ['a key in another folder', () => ({ key: 'pictures/a/640.jpg' })],
      ['../ in its key', (key: string) => ({ key: `uploads/../${key}` })],
      ['another content type', () => ({ 'Content-Type': 'text/html' })],
      ['no content type', () => ({ 'Content-Type': null })],
      ['no policy', () => ({ policy: null, Policy: null })],
      ['no signature', () => ({ 'x-signature': null, 'X-Amz-Signature': null })],
      ['another signature', () => ({ 'x-signature': 'ab'.repeat(32), 'X-Amz-Signature': 'ab'.repeat(32) })],
    ])('PHOTO-16 refuses a form with %s', async (_what, change) => {
      const key = newKey()
      const form = await sign(key)
      const known = Object.entries(change(key)).filter(([name, value]) => value !== null || name in form.fields)
      const changes = Object.fromEntries(known.filter(([name]) => name in form.fields))
      expect(await isRefused(key, await send(form, file, changes))).toBe(true)
    })

    it.each([
      ['one byte more', Buffer.concat([file, Buffer.from('x')])],
      ['one byte less', file.subarray(1)],
      ['nothing', Buffer.alloc(0)],
    ])('PHOTO-16 refuses %s than announced', async (_what, body) => {
      const key = newKey()
      expect(await isRefused(key, await send(await sign(key), body))).toBe(true)
    })

    it('PHOTO-16 stores nothing of an upload that stops in the middle', async () => {
      const key = newKey()
      const form = await sign(key)
      await stopInTheMiddle(opened.urlOf(form), form)
      expect(await head(key)).toBeNull()
      expect(await send(form)).toBe(201)
    })

    it('PHOTO-16 takes 50 uploads at the same time', async () => {
      const keys = Array.from({ length: 50 }, newKey)
      const statuses = await Promise.all(keys.map(async (key) => send(await sign(key))))
      expect(new Set(statuses)).toEqual(new Set([201]))
      const objects = await Promise.all(keys.map(head))
      expect(objects.filter((object) => object?.byteSize === file.length)).toHaveLength(50)
    })

    it('PHOTO-16 writes, lists and deletes files, and ignores missing ones', async () => {
      const folder = `pictures/${newId()}-0123456789abcdef`
      const keys = [`${folder}/320.jpg`, `${folder}/640.jpg`]
      for (const key of keys) await store.write(key, contentType, file)
      await store.write(keys[0] ?? '', contentType, Buffer.from('replaced'))
      expect(await head(keys[0] ?? '')).toMatchObject({ byteSize: 8, contentType })
      const prefix = folder.slice(0, -16)
      const listed = await store.list(prefix)
      expect(listed.map(({ key }) => key)).toEqual(keys)
      expect(Math.abs(Date.now() - (listed[0]?.modifiedAt.getTime() ?? 0))).toBeLessThan(5 * minuteMs)
      expect((await store.list(prefix, keys[0])).map(({ key }) => key)).toEqual(keys.slice(1))
      await store.remove([...keys, newKey()])
      await store.remove(keys)
      expect(await store.list(prefix)).toEqual([])
      expect(await head(keys[0] ?? '')).toBeNull()
    })
  })
}

// Sends a form up to the first bytes of the file, and closes the connection.
function stopInTheMiddle(url: string, { fields }: UploadForm): Promise<void> {
  const boundary = 'boundary'
  const part = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Object.entries(fields).map(([name, value]) => part(name, value))
  const begun = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n${file.toString().slice(0, 50)}`
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': 100_000 },
    })
    sent.on('error', () => resolve())
    sent.on('close', () => resolve())
    sent.write(head.join('') + begun, () => setTimeout(() => sent.destroy(), 300))
  })
}
