import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type DemoAuction = {
  readonly startingBid: number
  readonly buyNow: number | undefined
  readonly endsInMs: number
  readonly bids: readonly number[]
}

/** A listing of the demo data; amounts in dollars, as the create call takes them. */
export type DemoListing = {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly condition: string
  readonly price: number
  readonly shipping: number
  readonly location: string
  /** The local part of an address at example.com. */
  readonly seller: string
  /** File name in the picture set. */
  readonly picture: string
  readonly originalPrice: number | undefined
  readonly auction: DemoAuction | undefined
  readonly soldTo: string | undefined
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Blocks of title, facts and description, as listings.txt has them. */
export function readListings(text = readFileSync(join(import.meta.dirname, 'listings.txt'), 'utf8')): DemoListing[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map(readBlock)
}

function readBlock(block: string): DemoListing {
  const [title = '', facts = '', ...description] = block.split('\n')
  const [category = '', condition = '', money = '', location = '', seller = '', picture = '', ...more] =
    facts.split(' | ')
  const [price = 0, shipping = 0] = amountsIn(money)
  const option = (name: string) => more.find((part) => part.startsWith(`${name} `))?.slice(name.length + 1)
  const was = option('was')
  return {
    title,
    description: description.join(' '),
    category,
    condition,
    price,
    shipping,
    location,
    seller,
    picture,
    originalPrice: was === undefined ? undefined : amountsIn(was)[0],
    auction: money.startsWith('auction') ? readAuction(price, option) : undefined,
    soldTo: option('sold to'),
  }
}

function readAuction(startingBid: number, option: (name: string) => string | undefined): DemoAuction {
  const ends = option('ends') ?? '1d'
  const buyNow = option('buy now')
  return {
    startingBid,
    buyNow: buyNow === undefined ? undefined : amountsIn(buyNow)[0],
    endsInMs: Number.parseInt(ends) * (UNIT_MS[ends.slice(-1)] ?? 0),
    bids: amountsIn(option('bids') ?? ''),
  }
}

function amountsIn(text: string): number[] {
  return (text.match(/\d+(\.\d+)?/g) ?? []).map(Number)
}
