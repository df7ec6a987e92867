/** Description of pages that have no description of their own. Must match index.html. */
export const defaultDescription =
  'Buy and sell with people nearby: fixed prices, live auctions, and a fee you see before you pay.'
