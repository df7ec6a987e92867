import { remember } from '@marketplace/kit/cache/remember.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { listReplies } from './replies.repo.ts'
import { replyTimes, usualReplyTime } from './reply-time.ts'

const ReplyTimeView = z.strictObject({ reply_time: z.enum(replyTimes).nullable() }).meta({ id: 'ReplyTime' })

const maxSellers = 10_000

export function replyTimesRoutes(app: PublicApp, { db, settings }: Context): void {
  const readReplyTime = remember({
    ttlMs: settings.PROFILES_TTL_MS,
    max: maxSellers,
    load: async (sellerId) => usualReplyTime(await listReplies(db, sellerId), new Date()),
  })

  app.get(
    '/api/users/:id/reply-time',
    {
      config: { open: true, ignoresSession: true },
      schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: ReplyTimeView }) },
    },
    async ({ params: { id } }) => {
      if (!isId(id)) throw missing('member')
      return { reply_time: await readReplyTime(id) }
    },
  )
}
