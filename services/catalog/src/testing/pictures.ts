import { openDatabase } from '@marketplace/kit/db/db.ts'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import type { TestUser } from '@marketplace/testing/keys.ts'
import sharp, { type Sharp } from 'sharp'
import type { CatalogTables } from '../db.ts'
import { createProcessing } from '../picture/processing/create-processing.ts'
import { openStore } from '../picture/store/open-store.ts'
import type { UploadForm } from '../picture/store/picture-store.ts'
import { workerSettings, type WorkerSettings } from '../picture/worker/config.ts'
import { clearEverything } from '../picture/worker/review.ts'
import type { WorkerContext } from '../picture/worker/work-on-picture.ts'
import { startWork } from '../picture/worker/worker.ts'
import type { ApiResponse, Harness } from './harness.ts'

const processPicture = createProcessing(['webp', 'jpeg'])

export interface TestWorker {
  ctx: WorkerContext
  stop(): Promise<void>
}

/** Returns the context of a picture worker with the worker's own database role. `overrides` replace parts of it. */
export function workerContext(
  { database, settings }: Harness,
  overrides: Partial<WorkerContext> = {},
  changed: Partial<WorkerSettings> = {},
): WorkerContext {
  const given = { DATABASE_URL: database.urlFor('catalog_pictures'), INTERNAL_PORT: '0', LOG_LEVEL: 'silent' }
  const { PICTURES_DIR, UPLOAD_SECRET } = settings
  const parsed = workerSettings.parse({ ...given, PICTURES_DIR, UPLOAD_SECRET, PICTURE_POLL_INTERVAL_MS: 50 })
  return {
    db: openDatabase<CatalogTables>(given.DATABASE_URL, () => undefined, { connections: 2 }),
    store: openStore(settings).store,
    settings: { ...parsed, ...changed },
    log: openLog('test', 'silent'),
    process: processPicture,
    review: clearEverything,
    ...overrides,
  }
}

/** Starts a picture worker in this process. */
export function startTestWorker(harness: Harness, overrides: Partial<WorkerContext> = {}): TestWorker {
  const ctx = workerContext(harness, overrides)
  const stopWork = startWork(ctx)
  return {
    ctx,
    async stop() {
      await stopWork()
      await ctx.db.destroy()
    },
  }
}

interface Announced {
  id: string
  upload: UploadForm
}

/** Returns a colored picture. Different seeds make pictures that do not match each other. */
export function drawPicture(width = 400, height = 300, seed = 1): Sharp {
  const pixels = Buffer.alloc(16 * 3)
  for (let n = 0; n < 16; n += 1) pixels.writeUIntBE((0x123457 * (n + 1) * (seed * 7 + 3)) % 0xffffff, n * 3, 3)
  return sharp(pixels, { raw: { width: 4, height: 4, channels: 3 } }).resize(width, height, {
    kernel: 'nearest',
    fit: 'fill',
  })
}

export function announce(
  harness: Harness,
  byteSize: number,
  { as = harness.seller, type = 'image/jpeg' }: { as?: TestUser; type?: string } = {},
): Promise<ApiResponse<Record<string, unknown> & Announced>> {
  return harness.call('POST', '/api/pictures', { as, body: { content_type: type, byte_size: byteSize } })
}

/** Sends the form of an announced picture, as the browser does. Returns the status. */
export async function sendForm({ first }: Harness, { url, fields }: UploadForm, file: Buffer): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([Uint8Array.from(file)], { type: fields['Content-Type'] ?? '' }), 'photo')
  const response = await fetch(new URL(url, first.publicUrl), { method: 'POST', body: form })
  await response.arrayBuffer()
  return response.status
}

/** Announces and uploads a file, without completing it. Returns the picture's id. */
export async function upload(harness: Harness, file: Buffer, options: Parameters<typeof announce>[2] = {}) {
  const { body } = await announce(harness, file.length, options)
  const status = await sendForm(harness, body.upload, file)
  if (status !== 201) throw new Error(`The upload got ${status}.`)
  return body.id
}

export function complete(harness: Harness, id: string, as: TestUser = harness.seller): Promise<ApiResponse> {
  return harness.call('POST', `/api/pictures/${id}/complete`, { as })
}

/** Uploads a picture and waits until it is ready. A worker must be running. Returns its id. */
export async function makePicture(harness: Harness, { as = harness.seller, seed = 1 } = {}): Promise<string> {
  const id = await upload(harness, await drawPicture(400, 300, seed).jpeg().toBuffer(), { as })
  const { body } = await complete(harness, id, as)
  if (body['state'] !== 'ready') throw new Error(`The picture is not ready: ${JSON.stringify(body)}`)
  return id
}
