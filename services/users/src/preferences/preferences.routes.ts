import { callerOf, type PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { runIdempotent } from '@marketplace/kit/idempotency/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { defaultPreferences } from './preferences.ts'
import { findPreferences, upsertPreferences } from './preferences.repo.ts'

const choices = { deals: z.boolean(), offers: z.boolean() }
const SavePreferences = z.object(choices).meta({ id: 'SaveNotificationPreferences' })
const PreferencesView = z.strictObject(choices).meta({ id: 'NotificationPreferences' })

export function preferencesRoutes(app: PublicApp, { db }: Context): void {
  const url = '/api/users/notification-preferences'

  app.get(
    url,
    { schema: { response: routeResponses({ 200: PreferencesView }) } },
    async (request) => (await findPreferences(db, callerOf(request).userId)) ?? defaultPreferences,
  )

  app.post(
    url,
    { schema: { body: SavePreferences, response: routeResponses({ 200: PreferencesView }) } },
    (request, reply) =>
      runIdempotent({ db, request, reply, status: 200 }, (trx) =>
        upsertPreferences(trx, callerOf(request).userId, request.body),
      ),
  )
}
