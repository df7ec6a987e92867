import { createServer, type ServerResponse } from 'node:http'
import { openLog } from '@marketplace/kit/telemetry/log.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProcessedPicture } from './process-picture.ts'
import { createHttpReview, openReview } from './review.ts'

const log = openLog('test', 'silent')
const received: Buffer[] = []
let respond: (response: ServerResponse) => void = () => undefined
let url = ''

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push(Buffer.concat(chunks))
    respond(response)
  })
})

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/review`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const files = ['small', 'large'].map((body, n) => ({
  name: `${n}.jpg`,
  contentType: 'image/jpeg',
  body: Buffer.from(body),
}))
const facts = {
  hash: 'a'.repeat(16),
  width: 1,
  height: 1,
  formats: [],
  widths: [],
  thumbhash: Buffer.alloc(1),
  phash: '',
}
const picture: ProcessedPicture = { facts, files }
const json =
  (body: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status).end(body)

it.each([
  ['clear', json('{"result":"clear"}'), 'clear'],
  ['blocked', json('{"result":"blocked"}'), 'blocked'],
  ['flagged', json('{"result":"flagged"}'), 'flagged'],
  ['an unknown result', json('{"result":"fine"}'), 'flagged'],
  ['no JSON', json('clear'), 'flagged'],
  ['400', json('{"result":"clear"}', 400), 'flagged'],
  ['500', json('{"result":"clear"}', 500), 'flagged'],
  ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: url }).end(), 'flagged'],
  ['a broken connection', (response: ServerResponse) => response.destroy(), 'flagged'],
  ['nothing', () => undefined, 'flagged'],
] as const)('PHOTO-13 a review service that responds with %s', async (what, responding, expected) => {
  respond = responding
  const review = createHttpReview({ url, timeoutMs: what === 'nothing' ? 500 : 60_000, log })
  expect(await review.review(picture)).toBe(expected)
  expect(String(received.at(-1))).toBe('large')
})

it('PHOTO-13 an unreachable review service flags the picture; without a service every picture is clear', async () => {
  expect(await createHttpReview({ url: 'http://127.0.0.1:1', timeoutMs: 500, log }).review(picture)).toBe('flagged')
  const settings = { PICTURE_REVIEW_URL: undefined, PICTURE_REVIEW_TIMEOUT_MS: 500 }
  expect(await openReview(settings, log).review(picture)).toBe('clear')
})
