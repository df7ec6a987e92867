import { callerOf, type PublicApp } from '@marketplace/kit/http.ts'
import { answers } from '@marketplace/kit/http-responses.ts'
import { answerOnce } from '@marketplace/kit/idempotency.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { noPreferences } from './preferences.ts'
import { findPreferences, savePreferences } from './preferences.repo.ts'

const choices = { deals: z.boolean(), offers: z.boolean() }
const SavePreferences = z.object(choices).meta({ id: 'SaveNotificationPreferences' })
const PreferencesView = z.strictObject(choices).meta({ id: 'NotificationPreferences' })

export function preferencesRoutes(app: PublicApp, { db }: Context): void {
  const url = '/api/users/notification-preferences'

  app.get(
    url,
    { schema: { response: answers({ 200: PreferencesView }) } },
    async (request) => (await findPreferences(db, callerOf(request).userId)) ?? noPreferences,
  )

  app.post(url, { schema: { body: SavePreferences, response: answers({ 200: PreferencesView }) } }, (request, reply) =>
    answerOnce({ db, request, reply, status: 200 }, (trx) =>
      savePreferences(trx, callerOf(request).userId, request.body),
    ),
  )
}
