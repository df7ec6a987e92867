import { MarketplaceClient } from '@marketplace/stack/demo/client.ts'
import type { Visitor } from './visitor.ts'

interface Listed {
  id: string
}

/** A person signs in, lists an item with a photo, sees a rival's bid arrive on their screen, outbids it, and buys an item. */
export async function mainJourney(visitor: Visitor, url: string): Promise<void> {
  const seller = await MarketplaceClient.signIn(url, 'journey-seller@example.com')
  const rival = await MarketplaceClient.signIn(url, 'journey-rival@example.com')
  await signIn(visitor)
  await listItem(visitor, url)
  await bidLive(visitor, seller, rival)
  await buy(visitor, seller)
}

async function signIn(visitor: Visitor): Promise<void> {
  await visitor.open('/sign-in')
  await visitor.press('button', 'Sign In with Email')
  await visitor.type('Use another email', `journey-${Date.now()}@example.com`)
  await visitor.press('button', 'Continue')
  await visitor.see('Welcome')
  await visitor.arrive(/^\/notification-preferences$/)
}

async function listItem(visitor: Visitor, url: string): Promise<void> {
  await visitor.open('/create-listing')
  await visitor.type('Title', 'Brass reading lamp')
  await visitor.choose('Category', 'Home Decor')
  await visitor.type('Price', '19.99')
  await visitor.type('Image URL', new URL('/icon-512.png', url).href)
  await visitor.press('button', 'Add Image')
  await visitor.see('Main photo')
  await visitor.press('button', 'Create Listing')
  await visitor.arrive(/^\/listing\/[0-9a-f-]{36}$/)
  await visitor.see('This is your listing.')
}

async function bidLive(visitor: Visitor, seller: MarketplaceClient, rival: MarketplaceClient): Promise<void> {
  const { id } = await list(seller, {
    title: 'Steel diving watch',
    is_auction: true,
    starting_bid: 100,
    auction_end_date: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await visitor.open(`/listing/${id}`)
  await visitor.type('Bid amount', '101')
  await visitor.press('button', 'Place Bid')
  await visitor.see("You're the highest bidder")
  await rival.post('/api/bids', { listing_id: id, amount: 120 })
  await visitor.see('$120.00')
  await visitor.see("You've been outbid")
}

async function buy(visitor: Visitor, seller: MarketplaceClient): Promise<void> {
  const { id } = await list(seller, { title: 'Walnut side table', price: 40 })
  await visitor.open(`/listing/${id}`)
  await visitor.press('button', 'Buy Now')
  await visitor.press('button', 'Continue to Payment')
  await visitor.type('Card number', '4242424242424242')
  await visitor.type('Expiry date', '1240')
  await visitor.type('CVC', '123')
  await visitor.press('button', 'Pay $42.00')
  await visitor.see('Payment successful! Your purchase is complete.')
}

async function list(seller: MarketplaceClient, item: Record<string, unknown>): Promise<Listed> {
  const [category] = await seller.get<{ id: number }[]>('/api/categories')
  return seller.post<Listed>('/api/listings', { category_id: category?.id, condition: 'good', ...item })
}
