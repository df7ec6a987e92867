/** Description of pages that have no description of their own. Must match index.html. */
export const defaultDescription = 'Buy and sell secondhand items at fixed prices or in live auctions, with clear fees.'
