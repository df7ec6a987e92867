import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MarketplaceClient } from './client.ts'
import { startStack, type Stack } from '../launcher/stack.ts'

interface ListedItem {
  id: string
  image_urls_parsed: string[]
}

const dataDir = mkdtempSync(join(tmpdir(), 'marketplace-pictures-'))
const only = ['users', 'catalog', 'auction', 'payments', 'search', 'messaging', 'gateway', 'identity'] as const
const start = () => startStack({ port: 0, dataDir, durable: false, only })
const pictures = (origin: string) => [
  `${origin}/demo-pictures/lamp.svg`,
  'https://pictures.example/demo-pictures/lamp.svg',
]
let stack: Stack

beforeAll(async () => {
  stack = await start()
}, 240_000)

afterAll(async () => {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

it('the addresses of demo pictures follow the origin after a start on another port', async () => {
  const seller = await MarketplaceClient.signIn(stack.url, 'alice@example.com')
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  const item = { title: 'Lamp', category_id: category?.id, image_urls: pictures(stack.url) }
  const fixed = await seller.post<ListedItem>('/api/listings', { ...item, price: 5 })
  const ends = { auction_end_date: new Date(Date.now() + 3_600_000).toISOString() }
  const auction = await seller.post<ListedItem>('/api/listings', {
    ...item,
    ...ends,
    is_auction: true,
    starting_bid: 5,
  })
  await expect.poll(() => shownBySearch(stack.url)).toHaveLength(2)
  const before = stack.url
  await stack.stop()
  stack = await start()
  expect(stack.url).not.toBe(before)

  const visitor = new MarketplaceClient(stack.url)
  const read = ({ id }: ListedItem) => visitor.get<ListedItem>(`/api/listings/${id}`)
  const shown = [await read(fixed), await read(auction), ...(await shownBySearch(stack.url))]
  expect(shown.map(({ image_urls_parsed }) => image_urls_parsed)).toEqual(shown.map(() => pictures(stack.url)))
}, 300_000)

function shownBySearch(url: string): Promise<ListedItem[]> {
  return new MarketplaceClient(url).get('/api/listings')
}
