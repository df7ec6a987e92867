import fastify, { type LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { maxPageBytes, page, pageParameters, readCursor, requestCostHeader } from './paging.ts'

const Position = z.strictObject({ n: z.int() })
const Query = z.object(pageParameters)

interface Row {
  n: number
  text: string
}

function listApp(rows: readonly Row[]) {
  const app = fastify()
  app.get('/rows', async (request, reply) => {
    const { limit, cursor } = Query.parse(request.query)
    const after = readCursor(Position, cursor)
    const rest = rows.filter(({ n }) => n > (after?.n ?? 0)).slice(0, limit + 1)
    return page(request, reply, { rows: rest, limit, toView: (row) => row, positionOf: ({ n }) => ({ n }) })
  })
  return app
}

function numbered(count: number, text = ''): Row[] {
  return Array.from({ length: count }, (_, index) => ({ n: index + 1, text }))
}

async function readAll(app: ReturnType<typeof listApp>, first: string): Promise<number[][]> {
  const pages: number[][] = []
  let url: string | undefined = first
  while (url !== undefined) {
    const response: LightMyRequestResponse = await app.inject(url)
    expect(Buffer.byteLength(response.body)).toBeLessThanOrEqual(maxPageBytes)
    pages.push(response.json<Row[]>().map(({ n }) => n))
    url = /^<(.*)>; rel="next"$/.exec(String(response.headers.link))?.[1]
  }
  return pages
}

test('a list has 50 rows by default and links to the next page until no row remains', async () => {
  const pages = await readAll(listApp(numbered(120)), '/rows')
  expect(pages.map(({ length }) => length)).toEqual([50, 50, 20])
  expect(pages.flat()).toEqual(numbered(120).map(({ n }) => n))
})

test('the link keeps the other parameters', async () => {
  const response = await listApp(numbered(2)).inject('/rows?search=a%20b&limit=1')
  expect(response.headers.link).toMatch(/^<\/rows\?search=a\+b&limit=1&cursor=[\w-]+>; rel="next"$/)
})

test('a page that is exactly full and the last one has no link', async () => {
  expect((await listApp(numbered(50)).inject('/rows')).headers.link).toBeUndefined()
})

test('a page ends before 1 MiB, and the rows left out are on the next page', async () => {
  const pages = await readAll(listApp(numbered(100, 'x'.repeat(50_000))), '/rows?limit=100')
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.flat()).toEqual(numbered(100).map(({ n }) => n))
})

test('a page states its cost in units of 32 KiB above the first', async () => {
  const [small, large] = [listApp(numbered(10)), listApp(numbered(10, 'x'.repeat(10_000)))]
  expect((await small.inject('/rows')).headers[requestCostHeader]).toBeUndefined()
  expect((await large.inject('/rows')).headers[requestCostHeader]).toBe('4')
})

test.each(['0', '101', '1.5', 'a', '0x10'])('the limit %s is rejected', (limit) => {
  expect(Query.safeParse({ limit }).success).toBe(false)
})

test.each(['x', Buffer.from('{"at":1}').toString('base64url')])(
  'the cursor %s of no page of this list is rejected',
  (cursor) => {
    expect(() => readCursor(Position, cursor)).toThrow(expect.objectContaining({ kind: 'invalid' }))
  },
)
