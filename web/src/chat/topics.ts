/** A help topic. It has a fixed reply, so that choosing it sends no request. */
export interface Topic {
  name: string
  reply: string
}

export const topics: Topic[] = [
  {
    name: 'Ordering & Checkout',
    reply:
      "Choose Buy Now on a listing, check the total, and pay by card. We'll hold the item for 10 minutes. In an auction, place a bid above the current one; the highest bid at the end wins and is paid under Transactions within 48 hours.",
  },
  {
    name: 'Shipping & Tracking',
    reply:
      'Shipping costs are set by the seller and shown on the listing before you buy. The seller sends the item to you: ask them for a tracking number under Messages.',
  },
  {
    name: 'Payments & Billing',
    reply:
      'You pay by card through our payment provider; we never see your card number. The marketplace fee is 5% of the item price and part of the total that you confirm. What you bought and sold is listed under Transactions.',
  },
  {
    name: 'Creating Listings',
    reply:
      'Choose Sell, give your item a title, a category and a price or a starting bid, and add photos. The first photo is the main photo. Your items, their views and bids are under My Listings.',
  },
  {
    name: 'Account & Settings',
    reply:
      'You sign in with your email, and your first sign-in creates your account. Choose what we email you about under Notifications, at the bottom of each page.',
  },
  {
    name: 'General Questions',
    reply:
      'Marketplace is a place to buy and sell with other people, at a fixed price or in an auction. You can save items with ♡, make offers on listings that accept them, and write to sellers from their listings.',
  },
]
