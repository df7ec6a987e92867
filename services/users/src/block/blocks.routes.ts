import { missing } from '@marketplace/kit/errors/problem.ts'
import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { page, pageParameters, readCursor, TimeCursor } from '@marketplace/kit/http/paging.ts'
import { querySchema } from '@marketplace/kit/http/query-schema.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { blockMember, unblockMember } from './block-member.ts'
import { listBlocks, type ListedBlock } from './blocks.repo.ts'

const BlockMember = z.object({ user_id: Id }).meta({ id: 'BlockMember' })
const BlockState = z.strictObject({ isBlocked: z.boolean() }).meta({ id: 'BlockState' })
const BlockedMember = z
  .strictObject({ id: Id, name: z.string(), picture: z.string().nullable(), created_at: z.iso.datetime() })
  .meta({ id: 'BlockedMember' })

export function blocksRoutes(app: PublicApp, { db, settings }: Context): void {
  const url = '/api/blocks'

  app.get(
    url,
    { schema: { querystring: querySchema(pageParameters), response: routeResponses({ 200: z.array(BlockedMember) }) } },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const after = readCursor(TimeCursor, cursor)
      const rows = await listBlocks(db, callerOf(request).userId, { after, rows: limit + 1 })
      return page(request, reply, { rows, limit, toView, positionOf: ({ at, id }) => ({ at, id }) })
    },
  )

  app.post(
    url,
    { schema: { body: BlockMember, response: routeResponses({ 200: BlockState }, 404) } },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await blockMember(trx, { blockerId: callerOf(request).userId, blockedId: request.body.user_id }, settings)
        return { isBlocked: true }
      }),
  )

  app.delete(
    `${url}/:id`,
    { schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: BlockState }) } },
    (request, reply) => {
      const { id: blockedId } = request.params
      if (!isId(blockedId)) throw missing('member')
      return runIdempotent({ db, request, reply, status: 200 }, async (trx) => {
        await unblockMember(trx, { blockerId: callerOf(request).userId, blockedId })
        return { isBlocked: false }
      })
    },
  )
}

function toView({ id, name, picture, createdAt }: ListedBlock): z.output<typeof BlockedMember> {
  return { id, name, picture, created_at: createdAt.toISOString() }
}
