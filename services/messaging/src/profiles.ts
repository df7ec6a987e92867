import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { createTtlCache, type TtlCache } from '@marketplace/kit/cache/ttl-cache.ts'
import { rpcClient } from '@marketplace/kit/rpc/rpc.ts'
import type { MessagingSettings } from './config.ts'

export interface Profile {
  name: string
  picture: string | null
}

// Maximum number of cached profiles. Each takes a few hundred bytes.
const maxProfiles = 10_000

/**
 * Creates a cache of names and pictures from the users service. Profiles that do not arrive before the deadline are
 * omitted from its results.
 */
export function createProfileCache(settings: MessagingSettings): TtlCache<Profile> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  return createTtlCache({
    ttlMs: settings.PROFILES_TTL_MS,
    max: maxProfiles,
    async load(ids) {
      const { profiles } = await users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.PROFILES_TIMEOUT_MS })
      return new Map(profiles.map(({ userId, name, picture }) => [userId, { name, picture: picture || null }]))
    },
  })
}
