import { remember } from '@marketplace/kit/cache/remember.ts'
import { missing } from '@marketplace/kit/errors/problem.ts'
import type { PublicApp } from '@marketplace/kit/http/http.ts'
import { routeResponses } from '@marketplace/kit/http/responses.ts'
import { Id, isId } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { findProfile, type MemberProfile } from './profiles.repo.ts'

const Profile = z
  .strictObject({
    id: Id,
    name: z.string(),
    picture: z.string().nullable(),
    /** Year and month, for example "2026-03". */
    member_since: z.string(),
    /** Number of completed sales. */
    sales: z.int().min(0),
    review_count: z.int().min(0),
    /** Average rating; null if the member has no reviews. */
    average: z.number().nullable(),
  })
  .meta({ id: 'MemberProfile' })

const maxProfiles = 10_000

export function profilesRoutes(app: PublicApp, { db, settings }: Context): void {
  const readProfile = remember({ ttlMs: settings.PROFILE_TTL_MS, max: maxProfiles, load: (id) => findProfile(db, id) })

  app.get(
    '/api/users/:id/profile',
    {
      config: { open: true, ignoresSession: true },
      schema: { params: z.object({ id: z.string() }), response: routeResponses({ 200: Profile }) },
    },
    async ({ params: { id } }) => {
      const profile = isId(id) ? await readProfile(id) : undefined
      if (!profile) throw missing('member')
      return toView(profile)
    },
  )
}

function toView({ id, name, picture, memberSince, sales }: MemberProfile): z.output<typeof Profile> {
  return { id, name, picture, member_since: memberSince, sales, review_count: 0, average: null }
}
