/** What a page without words of its own says of itself; index.html has the same sentence. */
export const usualDescription =
  'Buy and sell with people nearby: fixed prices, live auctions, and a fee you see before you pay.'
