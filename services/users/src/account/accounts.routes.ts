import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { unauthenticated } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { toUserView, User } from './account-view.ts'
import { findAccountOfSession } from './accounts.repo.ts'

export function accountsRoutes(app: PublicApp, ctx: Context): void {
  app.get('/api/users/me', { schema: { response: answers({ 200: User }) } }, async (request) => {
    // A revoked session is over here at once, whatever the token says.
    const account = await findAccountOfSession(ctx.db, callerOf(request).sessionId)
    if (!account) throw unauthenticated()
    return toUserView(account)
  })
}
