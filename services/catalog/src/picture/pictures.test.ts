import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '@marketplace/kit/values/ids.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, lamp, type Harness } from '../testing/harness.ts'
import {
  announce,
  complete,
  drawPicture,
  makePicture,
  sendForm,
  startTestWorker,
  upload,
  type TestWorker,
} from '../testing/pictures.ts'

let harness: Harness
let worker: TestWorker

beforeAll(async () => {
  harness = await createHarness()
  worker = startTestWorker(harness)
})
afterAll(async () => {
  await worker.stop()
  await harness.close()
})

const origin = 'https://pictures.example'
const jpeg = (width = 400, height = 300) => drawPicture(width, height).jpeg().toBuffer()

describe('a picture', () => {
  it('PHOTO-01 is announced, uploaded by the signed form and ready with its files and facts', async () => {
    const file = await jpeg(1500, 900)
    const announced = await announce(harness, file.length)
    expect([announced.status, announced.body]).toMatchObject([
      201,
      { id: expect.any(String), upload: { url: '/api/uploads' }, expires_at: expect.stringMatching(/Z$/) },
    ])
    const { id, upload: form } = announced.body
    expect(await sendForm(harness, form, file)).toBe(201)
    const { status, body } = await complete(harness, id)
    const key = String(body['base']).split('/').at(-1)
    expect(key).toMatch(new RegExp(`^${id}-[0-9a-f]{16}$`))
    expect([status, body]).toEqual([
      200,
      {
        id,
        state: 'ready',
        reason: null,
        url: `${origin}/pictures/${key}/1280.jpg`,
        base: `${origin}/pictures/${key}`,
        widths: [320, 640, 1280, 1500],
        formats: ['webp', 'jpeg'],
        width: 1500,
        height: 900,
        thumbhash: expect.stringMatching(/^[\w+/]{20,}=*$/),
      },
    ])
    expect((await harness.get(`/api/pictures/${id}`, harness.seller)).body).toEqual(body)
    expect((await complete(harness, id)).body).toEqual(body)
    // The worker deletes the upload after the picture is ready.
    await expect.poll(() => readdir(join(harness.settings.PICTURES_DIR ?? '', 'uploads'))).toEqual([])
    for (const width of [320, 640, 1280, 1500]) {
      const response = await fetch(`${harness.first.publicUrl}/pictures/${key}/${width}.webp`)
      const metadata = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
      expect(metadata).toMatchObject({ format: 'webp', width })
    }
  })

  it('PHOTO-02 is served with headers that let caches keep it and other origins show it, but run nothing', async () => {
    const id = await makePicture(harness)
    const { body } = await harness.get(`/api/pictures/${id}`, harness.seller)
    const response = await fetch(harness.first.publicUrl + String(body['url']).slice(origin.length))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String((await response.arrayBuffer()).byteLength),
      'cache-control': 'public, max-age=2592000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
    })
  })

  it.each(['1.jpg', '640.svg', '..%2f640.jpg', '640.jpg%00', '99999.jpg'])('is 404 as %s', async (file) => {
    const id = await makePicture(harness)
    const { body } = await harness.get(`/api/pictures/${id}`, harness.seller)
    const path = String(body['base']).slice(origin.length)
    expect((await fetch(`${harness.first.publicUrl}${path}/${file}`)).status).toBe(404)
  })

  it.each([
    ['too large', 12 * 1024 * 1024 + 1, 'image/jpeg', '413 picture_too_large'],
    ['of another type', 1000, 'image/svg+xml', '415 picture_type'],
    ['empty', 0, 'image/jpeg', '400 invalid'],
  ])('PHOTO-03 is refused before its upload when it is %s', async (_what, byteSize, type, expected) => {
    const { status, body } = await announce(harness, byteSize, { type })
    expect(`${status} ${String(body['code'])}`).toBe(expected)
  })

  it('PHOTO-04 is missing for every other person', async () => {
    const id = await makePicture(harness)
    const bob = randomUser()
    for (const [method, path] of [
      ['GET', `/api/pictures/${id}`],
      ['POST', `/api/pictures/${id}/complete`],
      ['DELETE', `/api/pictures/${id}`],
    ] as const)
      expect((await harness.call(method, path, { as: bob })).status).toBe(404)
    const { status, body } = await harness.postListing({ ...lamp, pictures: [{ id }] }, bob)
    expect([status, body]).toMatchObject([400, { details: [{ path: 'pictures' }] }])
    expect((await harness.get(`/api/pictures/${newId()}`, bob)).status).toBe(404)
  })

  it('PHOTO-05 is 409 while its file was not uploaded', async () => {
    const { body } = await announce(harness, 1000)
    expect(await complete(harness, body.id)).toMatchObject({ status: 409, body: { code: 'not_uploaded' } })
  })

  it('PHOTO-06 is refused with a reason when its file cannot be read', async () => {
    const id = await upload(harness, Buffer.from('<html>not a picture</html>'))
    expect(await complete(harness, id)).toMatchObject({
      status: 200,
      body: { state: 'refused', reason: 'wrong_type', url: null, base: null },
    })
    expect(await harness.postListing({ ...lamp, pictures: [{ id }] })).toMatchObject({
      status: 409,
      body: { code: 'picture_not_ready' },
    })
  })
})

describe('the pictures of a listing', () => {
  it('PHOTO-07 are uploaded ones and typed URLs in order, with their facts and texts', async () => {
    const id = await makePicture(harness)
    const { body: picture } = await harness.get(`/api/pictures/${id}`, harness.seller)
    const typed = 'https://elsewhere.example/a.jpg'
    const { status, body } = await harness.postListing({
      ...lamp,
      pictures: [{ id, alt: 'The lamp, lit' }, { url: typed }],
    })
    const { id: _, state: _state, reason: _reason, ...facts } = picture
    expect([status, body]).toMatchObject([
      201,
      {
        image_urls_parsed: [facts['url'], typed],
        image_urls: JSON.stringify([facts['url'], typed]),
        pictures: [
          { ...facts, alt: 'The lamp, lit' },
          {
            url: typed,
            base: null,
            widths: null,
            formats: null,
            width: null,
            height: null,
            thumbhash: null,
            alt: null,
          },
        ],
      },
    ])
    expect((await harness.get(`/api/listings/${String(body['id'])}`)).body).toMatchObject({
      pictures: body['pictures'],
    })
    const card = await harness.get<unknown[]>('/api/users/me/listings?fields=card&limit=1', harness.seller)
    const { url, ...rest } = facts
    expect(card.body).toMatchObject([
      { picture: url, picture_facts: { ...rest, alt: 'The lamp, lit' }, picture_count: 2 },
    ])
    const key = String(facts['base']).split('/').at(-1)
    const [event] = await harness.rows('select payload from outbox where key = $1', [body['id']])
    expect(event).toMatchObject({
      payload: {
        listing: { imageUrls: [`picture:${key}`, typed], pictures: [{ key, alt: 'The lamp, lit' }, { url: typed }] },
      },
    })
    const stored = await harness.rows('select image_urls, pictures::text from listings where id = $1', [body['id']])
    expect(JSON.stringify(stored)).not.toContain(origin)
  })

  it('PHOTO-08 are given as pictures or as image_urls, 12 in all, each once', async () => {
    const id = await makePicture(harness)
    const typed = { url: 'https://elsewhere.example/a.jpg' }
    const many = Array.from({ length: 12 }, (_, n) => ({ url: `https://elsewhere.example/${n}.jpg` }))
    for (const fields of [
      { pictures: [{ id }], image_urls: [typed.url] },
      { pictures: [{ id }, ...many] },
      { pictures: [{ id }, { id }] },
      { pictures: [{ id, url: typed.url }] },
      { pictures: [{ url: 'javascript:alert(1)' }] },
      { pictures: [{ id, alt: 'x'.repeat(251) }] },
    ]) {
      const { status, body } = await harness.postListing({ ...lamp, ...fields })
      expect([status, body['details']]).toMatchObject([400, [{ path: expect.stringMatching(/^pictures/) }]])
    }
  })

  it('PHOTO-09 keep a picture from being deleted; an unused one is deleted with its files', async () => {
    const used = await makePicture(harness)
    await harness.createListing({ pictures: [{ id: used }] })
    const refused = await harness.call('DELETE', `/api/pictures/${used}`, { as: harness.seller })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const unused = await makePicture(harness)
    const { body } = await harness.get(`/api/pictures/${unused}`, harness.seller)
    expect((await harness.call('DELETE', `/api/pictures/${unused}`, { as: harness.seller })).status).toBe(200)
    expect((await harness.get(`/api/pictures/${unused}`, harness.seller)).status).toBe(404)
    const path = String(body['url']).slice(origin.length)
    await expect.poll(async () => (await fetch(harness.first.publicUrl + path)).status).toBe(404)
    await expect.poll(() => harness.rows('select id from pictures where id = $1', [unused])).toEqual([])
  })
})

describe('the quotas of pictures', () => {
  it('PHOTO-10 are 300 a day, 60 unused and 10,000 in all', async () => {
    const carol = randomUser()
    const insert = (count: number, state: string) =>
      harness.rows(
        `insert into pictures (id, uploader_id, state, content_type, byte_size, reason)
         select gen_random_uuid(), $1, $2, 'image/jpeg', 1, case $2 when 'refused' then 'unreadable' end
         from generate_series(1, $3)`,
        [carol.userId, state, count],
      )
    const age = () =>
      harness.rows(`update pictures set created_at = now() - interval '2 days' where uploader_id = $1`, [carol.userId])
    const problem = (sentence: string) => ({ status: 409, body: { code: 'too_many_pictures', error: sentence } })
    await insert(59, 'announced')
    expect((await announce(harness, 1000, { as: carol })).status).toBe(201)
    expect(await announce(harness, 1000, { as: carol })).toMatchObject(
      problem("You've reached the limit of 60 photos that no listing uses."),
    )
    await harness.rows(`delete from pictures where uploader_id = $1`, [carol.userId])
    await insert(300, 'refused')
    expect(await announce(harness, 1000, { as: carol })).toMatchObject(
      problem("You've reached the limit of 300 photos a day."),
    )
    await age()
    expect((await announce(harness, 1000, { as: carol })).status).toBe(201)
    await insert(9699, 'refused')
    await age()
    expect(await announce(harness, 1000, { as: carol })).toMatchObject(
      problem("You've reached the limit of 10,000 photos."),
    )
  })

  it('PHOTO-10 hold when pictures are announced at the same time', async () => {
    const dave = randomUser()
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await announce(harness, 1000, { as: dave })).status),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(60)
    expect(new Set(statuses)).toEqual(new Set([201, 409]))
  })
})
