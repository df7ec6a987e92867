import type { ConnectRouter } from '@connectrpc/connect'
import { CatalogService } from '@marketplace/contracts/gen/marketplace/catalog/v1/catalog_pb.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import { toMessage } from './listings.events.ts'
import { findListingsAfter, findListingsById } from './listings.repo.ts'

const maxIds = 100
const maxPageSize = 500

export function listingsRpc(router: ConnectRouter, { db }: Context): void {
  router.service(CatalogService, {
    async getListings({ ids, afterId, pageSize }) {
      if (ids.length > maxIds) throw invalid('ids', `At most ${maxIds} listings can be requested.`)
      if (ids.length > 0) return { listings: (await findListingsById(db, ids.filter(isId))).map(toMessage) }
      if (afterId !== '' && !isId(afterId)) throw invalid('after_id', 'Must be a listing id.')
      const limit = Math.min(Math.max(pageSize, 1), maxPageSize)
      return { listings: (await findListingsAfter(db, afterId || null, limit)).map(toMessage) }
    },
  })
}
