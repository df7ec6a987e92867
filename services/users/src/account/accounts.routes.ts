import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { unauthenticated } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import { toUserView, User } from './account-view.ts'
import { findAccountOfSession } from './accounts.repo.ts'

export function accountsRoutes(app: PublicApp, ctx: Context): void {
  app.get('/api/users/me', { schema: { response: routeResponses({ 200: User }) } }, async (request) => {
    // The session is checked in the database, because the access token does not show whether the session has ended.
    const account = await findAccountOfSession(ctx.db, callerOf(request).sessionId)
    if (!account) throw unauthenticated()
    return toUserView(account)
  })
}
