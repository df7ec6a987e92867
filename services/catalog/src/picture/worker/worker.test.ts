import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '@marketplace/kit/db/db.ts'
import { randomUser } from '@marketplace/testing/keys.ts'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, lamp, type Harness } from '../../testing/harness.ts'
import {
  announce,
  complete,
  drawPicture,
  makePicture,
  sendForm,
  startTestWorker,
  upload,
  type TestWorker,
} from '../../testing/pictures.ts'
import { deleteUnusedPictures } from '../pictures.repo.ts'
import { createProcessing } from '../processing/create-processing.ts'
import { openStore } from '../store/open-store.ts'
import type { PictureStore } from '../store/picture-store.ts'

let harness: Harness
let workers: TestWorker[] = []

beforeAll(async () => {
  harness = await createHarness({ PICTURE_WAIT_MS: 300 })
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})
afterAll(() => harness.close())

function startWorker(...options: Parameters<typeof startTestWorker> extends [Harness, ...infer Rest] ? Rest : never) {
  const worker = startTestWorker(harness, ...options)
  workers.push(worker)
  return worker
}

const jpeg = () => drawPicture(300, 300).jpeg().toBuffer()
const due = (id: string) => harness.rows('update pictures set next_at = clock_timestamp() where id = $1', [id])

async function stateOf(id: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await harness.rows('select state, reason, attempts, is_flagged from pictures where id = $1', [id])
  return row
}

async function objects(): Promise<string[]> {
  const names = await readdir(harness.settings.PICTURES_DIR ?? '', { recursive: true }).catch(() => [])
  return names.filter((name) => /\.\w+$/.test(name))
}

describe('the picture worker', () => {
  it('PHOTO-12 finds an upload whose page closed before it completed the picture', async () => {
    const id = await upload(harness, await jpeg())
    startWorker()
    const [row] = await harness.rows(
      `select next_at - created_at between interval '119 seconds' and interval '121 seconds' as is_soon from pictures where id = $1`,
      [id],
    )
    expect(row).toEqual({ is_soon: true })
    await due(id)
    await expect.poll(() => stateOf(id)).toMatchObject({ state: 'ready', attempts: 1 })
  })

  it('PHOTO-12 looks for an upload 2, 10 and 60 minutes after the announcement, and gives it up after 24 hours', async () => {
    const { body } = await announce(harness, 1000)
    const ageAndClaim = (minutes: number) =>
      harness.rows(
        `update pictures set created_at = clock_timestamp() - make_interval(mins => $2), next_at = clock_timestamp() where id = $1`,
        [body.id, minutes],
      )
    const nextMinute = async () => {
      const [row] = await harness.rows(
        `select round(extract(epoch from next_at - created_at) / 60)::int as minute from pictures where id = $1`,
        [body.id],
      )
      return row?.['minute']
    }
    startWorker()
    for (const [age, next] of [
      [2, 10],
      [10, 60],
      [60, 24 * 60],
    ] as const) {
      await ageAndClaim(age)
      await expect.poll(nextMinute).toBe(next)
    }
    await ageAndClaim(24 * 60)
    await expect.poll(() => stateOf(body.id)).toBeUndefined()
  })

  it('PHOTO-12 never reads a file that was uploaded after the picture was completed', async () => {
    const file = await jpeg()
    const { body } = await announce(harness, file.length)
    await sendForm(harness, body.upload, file)
    expect((await complete(harness, body.id)).body).toMatchObject({ state: 'uploaded', url: null })
    expect(await sendForm(harness, body.upload, Buffer.alloc(file.length, 1))).toBe(201)
    startWorker()
    await expect.poll(() => stateOf(body.id)).toMatchObject({ state: 'refused', reason: 'unreadable' })
    await expect.poll(async () => (await objects()).filter((name) => name.includes(body.id))).toEqual([])
  })

  it('PHOTO-12 tries again without counting the attempt while the object store is down', async () => {
    const id = await upload(harness, await jpeg())
    await complete(harness, id)
    const { store } = openStore(harness.settings)
    let failures = 0
    const failing: PictureStore = {
      ...store,
      async read() {
        failures += 1
        throw new Error('The store is down.')
      },
    }
    const broken = startWorker({ store: failing })
    await due(id)
    await expect.poll(() => failures).toBeGreaterThan(0)
    await expect.poll(() => stateOf(id)).toMatchObject({ state: 'uploaded', attempts: 0 })
    workers = workers.filter((worker) => worker !== broken)
    await broken.stop()
    await due(id)
    startWorker()
    await expect.poll(() => stateOf(id)).toMatchObject({ state: 'ready' })
  })

  it('PHOTO-12 works while the catalog service is stopped, and the service while the worker is', async () => {
    const own = await createHarness({ PICTURE_WAIT_MS: 300 })
    const id = await upload(own, await jpeg())
    expect((await complete(own, id)).body).toMatchObject({ state: 'uploaded' })
    expect((await own.get(`/api/pictures/${id}`, own.seller)).body).toMatchObject({ state: 'uploaded' })
    await Promise.all([own.first.service.publicApp.close(), own.second.service.publicApp.close()])
    const worker = startTestWorker(own)
    const isReady = () => own.rows(`select id from pictures where id = $1 and state = 'ready'`, [id])
    await expect.poll(isReady).toHaveLength(1)
    await worker.stop()
    await own.close()
  })

  it('PHOTO-13 refuses a blocked picture and marks a flagged one', async () => {
    const results = new Map<string, 'blocked' | 'flagged'>()
    const review = { review: async () => results.get('next') ?? ('clear' as const) }
    startWorker({ review })
    for (const [result, expected] of [
      ['blocked', { state: 'refused', reason: 'not_allowed' }],
      ['flagged', { state: 'ready', is_flagged: true }],
    ] as const) {
      results.set('next', result)
      const id = await upload(harness, await jpeg())
      await complete(harness, id)
      await expect.poll(() => stateOf(id)).toMatchObject(expected)
    }
  })

  it('PHOTO-14 may use its two tables and no other', async () => {
    const db = openDatabase(harness.database.urlFor('catalog_pictures'), () => undefined)
    const query = (text: string) => db.executeQuery(CompiledQuery.raw(text))
    for (const table of ['listings', 'offers', 'holds', 'outbox', 'watchlist', 'picture_uses'])
      await expect(query(`select * from ${table}`)).rejects.toThrow('permission denied')
    await expect(query(`insert into pictures (id) values (gen_random_uuid())`)).rejects.toThrow('permission denied')
    await expect(query(`create table other (id int)`)).rejects.toThrow('permission denied')
    expect((await query('select count(*) from pictures')).rows).toHaveLength(1)
    await db.destroy()
  })

  it('PHOTO-14 alone loads the image libraries: the catalog service has none in memory', async () => {
    const program = `
      Object.assign(process.env, ${JSON.stringify(environment())})
      const { createCatalogService } = await import('./service.ts')
      const { readConfig } = await import('./config.ts')
      createCatalogService(readConfig())
      const { sharedObjects } = process.report.getReport()
      console.log(sharedObjects.filter((name) => /vips|sharp/.test(name)).length)
      process.exit(0)`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    })
    expect(output.trim().split('\n').at(-1)).toBe('0')
  })
})

function environment(): Record<string, string> {
  const { PICTURES_DIR = '', UPLOAD_SECRET = '', DATABASE_URL, INTERNAL_SECRET } = harness.settings
  const url = 'http://127.0.0.1:1'
  const store = { PICTURES_DIR, UPLOAD_SECRET }
  const ports = { PORT: '0', INTERNAL_PORT: '0', LOG_LEVEL: 'silent' }
  const urls = { AUCTION_INTERNAL_URL: url, USERS_INTERNAL_URL: url, BUS_DATABASE_URL: harness.database.busUrl }
  return { ...store, ...ports, ...urls, DATABASE_URL, INTERNAL_SECRET }
}

describe('a picture', () => {
  beforeAll(() => {
    harness.settings.PICTURE_WAIT_MS = 60_000
  })

  it('PHOTO-15 is either used or deleted when both happen at the same time, 50 times', async () => {
    // The race needs ready pictures, and processing 50 of them would take most of the time.
    const processed = await createProcessing(['jpeg'])(await jpeg(), 'image/jpeg')
    startWorker({ process: async () => processed })
    const uploader = randomUser()
    const pictures = await Promise.all(
      Array.from({ length: 50 }, (_, n) => makePicture(harness, { as: uploader, seed: 100 + n })),
    )
    const outcomes = await Promise.all(
      pictures.map(async (id) => {
        const [used, deleted] = await Promise.all([
          harness.postListing({ ...lamp, pictures: [{ id }] }, uploader),
          harness.call('DELETE', `/api/pictures/${id}`, { as: uploader, at: harness.second }),
        ])
        return `${used.status} ${deleted.status}`
      }),
    )
    expect(new Set([...outcomes, '201 409', '400 200'])).toEqual(new Set(['201 409', '400 200']))
    const dangling = await harness.rows(
      `select id from listings where pictures is not null and not exists
         (select from picture_uses join pictures on pictures.id = picture_id where listing_id = listings.id and state = 'ready')`,
    )
    expect(dangling).toEqual([])
  }, 120_000)

  it('PHOTO-09 that no listing uses for 90 days is deleted', async () => {
    startWorker()
    const bob = randomUser()
    const [unused, used] = [
      await makePicture(harness, { as: bob, seed: 20 }),
      await makePicture(harness, { as: bob, seed: 21 }),
    ]
    await harness.postListing({ ...lamp, pictures: [{ id: used }] }, bob)
    await harness.rows(`update pictures set unused_since = clock_timestamp() - interval '90 days' where id = $1`, [
      unused,
    ])
    expect(await deleteUnusedPictures(harness.db, harness.settings.UNUSED_PICTURE_RETENTION_MS)).toBe(1)
    await expect.poll(() => stateOf(unused)).toBeUndefined()
    expect(await stateOf(used)).toMatchObject({ state: 'ready' })
    await expect.poll(async () => (await objects()).filter((name) => name.includes(unused))).toEqual([])
    expect((await objects()).some((name) => name.includes(used))).toBe(true)
  })
})
