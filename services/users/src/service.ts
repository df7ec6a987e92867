import cookie from '@fastify/cookie'
import { tokenVerifier } from '@marketplace/kit/auth/auth.ts'
import { openBus } from '@marketplace/bus/open-bus.ts'
import { createService, openResources, type Service } from '@marketplace/kit/app/service.ts'
import { accountsRoutes } from './account/accounts.routes.ts'
import { blocksRoutes } from './block/blocks.routes.ts'
import type { UsersSettings } from './config.ts'
import type { Context } from './context.ts'
import type { UsersTables } from './db.ts'
import { deleteExpiredRequests } from './personal-data/requests.repo.ts'
import { preferencesRoutes } from './preferences/preferences.routes.ts'
import { profilesRoutes } from './profile/profiles.routes.ts'
import { saleCountsConsumer } from './profile/sale-counts.consumer.ts'
import { deriveSecrets } from './secrets.ts'
import { sessionsRoutes } from './session/sessions.routes.ts'
import { deleteExpiredSessions } from './session/sessions.repo.ts'
import { openidProvider } from './sign-in/identity-provider.ts'
import { deleteExpiredAttempts } from './sign-in/sign-in-attempts.repo.ts'
import { signInRoutes } from './sign-in/sign-in.routes.ts'
import { localKeySet, publishedKeys } from './signing-key/published-keys.ts'
import { rotateSigningKeys } from './signing-key/rotate-signing-keys.ts'
import { usersRpc } from './users.rpc.ts'

export function createUsersService(settings: UsersSettings): Service {
  const resources = openResources<UsersTables>('users', settings)
  const ctx: Context = {
    db: resources.db,
    log: resources.log,
    settings,
    secrets: deriveSecrets(settings.SESSION_SECRET),
    provider: openidProvider(settings),
  }
  return createService(
    { ...resources, verifyToken: tokenVerifier(localKeySet(ctx)) },
    {
      openBus,
      routes(app) {
        app.register(cookie)
        // Responses must not be cached, because they contain personal data, and some set token cookies.
        app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
        accountsRoutes(app, ctx)
        blocksRoutes(app, ctx)
        preferencesRoutes(app, ctx)
        profilesRoutes(app, ctx)
        sessionsRoutes(app, ctx)
        signInRoutes(app, ctx)
      },
      consumers: [saleCountsConsumer],
      rpc: (router) => usersRpc(router, ctx),
      internalRoutes: (app) => void app.get('/jwks.json', () => publishedKeys(ctx)),
      sweeps: [
        {
          name: 'signing keys',
          intervalMs: settings.SIGNING_KEY_CHECK_INTERVAL_MS,
          sweep: () => rotateSigningKeys(ctx),
        },
        {
          name: 'expired sessions',
          intervalMs: settings.SWEEP_INTERVAL_MS,
          sweep: () => deleteExpiredSessions(ctx.db),
        },
        {
          name: 'old requests about personal data',
          intervalMs: settings.SWEEP_INTERVAL_MS,
          sweep: () => deleteExpiredRequests(ctx.db, settings.DATA_REQUEST_RETENTION_MS),
        },
        { name: 'expired logins', intervalMs: settings.SWEEP_INTERVAL_MS, sweep: () => deleteExpiredAttempts(ctx.db) },
      ],
    },
  )
}
