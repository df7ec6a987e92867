import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { keptAnswers, type KeptAnswers } from '@marketplace/kit/kept.ts'
import { rpcClient } from '@marketplace/kit/rpc.ts'
import type { MessagingSettings } from './config.ts'

export interface Profile {
  name: string
  picture: string | null
}

// A few hundred bytes each.
const maxProfiles = 10_000

/** Names and pictures from users; who has no answer in time is left out. */
export function openProfiles(settings: MessagingSettings): KeptAnswers<Profile> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  return keptAnswers({
    keepMs: settings.KEEP_PROFILES_MS,
    max: maxProfiles,
    async ask(ids) {
      const { profiles } = await users.getProfiles({ userIds: [...ids] }, { timeoutMs: settings.READ_PROFILES_MS })
      return new Map(profiles.map(({ userId, name, picture }) => [userId, { name, picture: picture || null }]))
    },
  })
}
