import type { Route } from '../../../../../services/gateway/src/routing/route.ts'
import { routeTable as routes } from '../../../../../services/gateway/src/routing/route-table.ts'

export * from '../../../../../services/gateway/src/routing/route-table.ts'

/** Makes each auction's leader public like its bids. */
export const routeTable: readonly Route[] = routes.flatMap((route) =>
  route.template === '/api/auctions/{id}/bids' ? [route, { ...route, template: '/api/auctions/{id}/leader' }] : [route],
)
