import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface DemoAuction {
  readonly startingBid: number
  readonly buyNow: number | undefined
  readonly endsInMs: number
  readonly bids: readonly number[]
}

/** A part of a picture, as fractions of its width and height. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A listing of the demo data. Amounts are in dollars, as in the API. */
export interface DemoListing {
  readonly title: string
  readonly description: string
  readonly category: string
  readonly condition: string
  readonly price: number
  readonly shipping: number
  readonly location: string
  /** The local part of an email address at example.com. */
  readonly seller: string
  /** The name of a photograph in photographs.ts. */
  readonly photograph: string
  /** The visible part of a tall photograph, as fractions of its height. */
  readonly rows: { readonly from: number; readonly to: number }
  /** The part of the first picture that is the second picture. */
  readonly detail: Area | undefined
  readonly originalPrice: number | undefined
  readonly auction: DemoAuction | undefined
  readonly soldTo: string | undefined
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses listings.txt: blocks of title, facts and description. */
export function readListings(text = readFileSync(join(import.meta.dirname, 'listings.txt'), 'utf8')): DemoListing[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map(readBlock)
}

function readBlock(block: string): DemoListing {
  const [title = '', facts = '', ...description] = block.split('\n')
  const [category = '', condition = '', money = '', location = '', seller = '', photograph = '', ...more] =
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
    photograph,
    rows: readRows(option('rows')),
    detail: readArea(option('detail')),
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
    endsInMs: Number.parseInt(ends) * (unitMs[ends.slice(-1)] ?? 0),
    bids: amountsIn(option('bids') ?? ''),
  }
}

function readRows(rows = '0-100'): DemoListing['rows'] {
  const [from = 0, to = 100] = amountsIn(rows)
  return { from: from / 100, to: to / 100 }
}

function readArea(percentages: string | undefined): Area | undefined {
  if (percentages === undefined) return undefined
  const [left = 0, top = 0, right = 1, bottom = 1] = amountsIn(percentages).map((percent) => percent / 100)
  return { left, top, right, bottom }
}

function amountsIn(text: string): number[] {
  return (text.match(/\d+(\.\d+)?/g) ?? []).map(Number)
}
