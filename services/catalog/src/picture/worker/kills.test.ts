import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../testing/harness.ts'
import { complete, drawPicture, upload } from '../../testing/pictures.ts'

let harness: Harness
let folder: string
let child: ChildProcess | undefined

beforeAll(async () => {
  harness = await createHarness({ PICTURE_WAIT_MS: 200 })
  folder = await mkdtemp(join(tmpdir(), 'kills-'))
})
afterEach(() => void child?.kill('SIGKILL'))
afterAll(async () => {
  await harness.close()
  await rm(folder, { recursive: true })
})

const root = join(import.meta.dirname, '../../../../..')

/** Starts the worker as a process of its own, which is killed at the fault point. */
async function startWorker(point?: { point: string; of: string }): Promise<ChildProcess> {
  const failpoint = join(folder, 'failpoint.json')
  if (point) await writeFile(failpoint, JSON.stringify({ ...point, action: 'kill' }))
  const { PICTURES_DIR = '', UPLOAD_SECRET = '' } = harness.settings
  const short = { PICTURE_FORMATS: 'jpeg', PICTURE_POLL_INTERVAL_MS: '50' }
  const place = { PICTURES_DIR, UPLOAD_SECRET, DATABASE_URL: harness.database.urlFor('catalog_pictures') }
  const settings = { ...short, ...place, FAILPOINT: failpoint, INTERNAL_PORT: '0', LOG_LEVEL: 'silent' }
  const args = ['--import', join(root, 'tests/faults/injection/failpoints.ts'), 'src/pictures.main.ts']
  child = spawn(process.execPath, args, {
    cwd: join(root, 'services/catalog'),
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  })
  return child
}

async function untilKilled(worker: ChildProcess): Promise<unknown> {
  const [, signal] = await once(worker, 'exit')
  return signal
}

async function row(id: string): Promise<Record<string, unknown> | undefined> {
  const [found] = await harness.rows('select state, reason, attempts from pictures where id = $1', [id])
  return found
}

async function uploaded(): Promise<string> {
  const id = await upload(harness, await drawPicture(400, 300).jpeg().toBuffer())
  await complete(harness, id)
  return id
}

/** Ends the claim of a picture, so that another worker can claim it at once. */
const endClaim = (id: string) => harness.rows('update pictures set next_at = clock_timestamp() where id = $1', [id])

const ready = { point: 'before-statement', of: "set state = 'ready'" }

describe('a picture worker that is killed', () => {
  it.each([
    ['before its claim commits', { point: 'before-commit', of: 'pictures' }, 1],
    ['after its claim has committed', { point: 'after-commit', of: 'pictures' }, 2],
    ['after all files are stored, before the picture is ready', ready, 2],
    ['before the ready picture commits', { point: 'before-commit', of: 'picture_bands' }, 2],
    ['after the ready picture has committed', { point: 'after-commit', of: 'picture_bands' }, 1],
  ])('PHOTO-12 %s leaves the picture to the next one', async (_when, point, attempts) => {
    const id = await uploaded()
    expect(await untilKilled(await startWorker(point))).toBe('SIGKILL')
    await endClaim(id)
    await startWorker()
    await expect.poll(() => row(id)).toEqual({ state: 'ready', reason: null, attempts })
    const { body } = await complete(harness, id)
    const path = new URL(String(body['url'])).pathname
    expect((await fetch(harness.first.publicUrl + path)).status).toBe(200)
  })

  it('PHOTO-12 three times by one picture refuses it, and processes the others', async () => {
    const id = await uploaded()
    for (let kills = 0; kills < 3; kills += 1) {
      expect(await untilKilled(await startWorker(ready))).toBe('SIGKILL')
      await endClaim(id)
    }
    await startWorker()
    const other = await uploaded()
    await expect.poll(() => row(id)).toMatchObject({ state: 'refused', reason: 'unreadable' })
    await expect.poll(() => row(other)).toMatchObject({ state: 'ready' })
  })

  it.each([
    ['before the row is deleted', { point: 'before-commit', of: 'pictures' }],
    ['before the files are deleted', { point: 'after-commit', of: 'pictures' }],
  ])('PHOTO-12 while it deletes a picture, %s, leaves the rest to the next one', async (_when, point) => {
    const id = await uploaded()
    await startWorker()
    await expect.poll(() => row(id)).toMatchObject({ state: 'ready' })
    child?.kill('SIGKILL')
    expect((await harness.call('DELETE', `/api/pictures/${id}`, { as: harness.seller })).status).toBe(200)
    expect(await untilKilled(await startWorker(point))).toBe('SIGKILL')
    await endClaim(id)
    await startWorker()
    await expect.poll(() => row(id)).toBeUndefined()
  })
})
