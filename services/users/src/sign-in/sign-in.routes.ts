import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { addressOf } from '@marketplace/kit/http/client-address.ts'
import { logSecurityEvent } from '@marketplace/kit/telemetry/security-event.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import { text } from '@marketplace/kit/http/text.ts'
import { z } from 'zod'
import { toUserView, User } from '../account/account-view.ts'
import type { Context } from '../context.ts'
import { describeDevice } from '../session/device.ts'
import { endSessions } from '../session/revoke-session.ts'
import { sessionCookies } from '../session/session-cookies.ts'
import { startSignIn } from './start-sign-in.ts'
import { completeSignIn, providerName } from './complete-sign-in.ts'

const maxParameter = 2048

const SignIn = z
  .object({
    code: text({ min: 1, max: maxParameter, tooShort: 'A sign-in requires the code from the provider' }),
    state: text({ max: maxParameter }).optional(),
    iss: text({ max: maxParameter }).optional(),
  })
  .meta({ id: 'SignIn' })

const RedirectUrl = z.strictObject({ redirectUrl: z.url() }).meta({ id: 'RedirectUrl' })
const Nothing = z.strictObject({})

export function signInRoutes(app: PublicApp, ctx: Context): void {
  const { PUBLIC_ORIGIN, LOGIN_TTL_MS, ACCESS_TOKEN_TTL_MS } = ctx.settings
  const cookies = sessionCookies(PUBLIC_ORIGIN, { loginMs: LOGIN_TTL_MS, accessMs: ACCESS_TOKEN_TTL_MS })
  const ignoresSession = { open: true, ignoresSession: true }

  app.get(
    '/api/oauth/:provider/redirect_url',
    {
      config: ignoresSession,
      schema: { params: z.object({ provider: z.string() }), response: routeResponses({ 200: RedirectUrl }, 503) },
    },
    async (request, reply) => {
      if (request.params.provider !== providerName) throw missing('sign-in provider')
      const { redirectUrl, encryptedAttempt } = await startSignIn(ctx)
      cookies.setAttempt(reply, encryptedAttempt)
      return { redirectUrl }
    },
  )

  app.post(
    '/api/sessions',
    { config: ignoresSession, schema: { body: SignIn, response: routeResponses({ 201: User }, 401, 503) } },
    async (request, reply) => {
      const { code, state, iss } = request.body
      const { account, tokens } = await completeSignIn(ctx, {
        code,
        state,
        iss,
        encryptedAttempt: cookies.readAttempt(request),
        device: describeDevice(request.headers['user-agent']),
      })
      logSecurityEvent(request.log, { event: 'sign_in', userId: account.id, address: addressOf(request) })
      cookies.setSession(reply, tokens)
      return reply.code(201).send(toUserView(account))
    },
  )

  app.get(
    '/api/logout',
    { config: { open: true }, schema: { response: routeResponses({ 200: Nothing }) } },
    async (request, reply) => {
      await endSessions(ctx, { sessionId: request.caller?.sessionId, refreshToken: cookies.readRefreshToken(request) })
      cookies.clearSession(reply)
      return {}
    },
  )
}
