/** Description of pages without their own; must match index.html. */
export const defaultDescription =
  'Buy and sell with people nearby: fixed prices, live auctions, and a fee you see before you pay.'
