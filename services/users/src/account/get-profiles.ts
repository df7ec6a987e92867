import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProfileSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { isId } from '@marketplace/kit/values/ids.ts'
import { invalid } from '@marketplace/kit/errors/problem.ts'
import type { Context } from '../context.ts'
import { listAccounts } from './accounts.repo.ts'

const maxIds = 100

/**
 * Returns the names and pictures of up to 100 users; unknown ids are omitted. Throws `invalid` (400) for more than 100
 * ids.
 */
export async function getProfiles(
  ctx: Context,
  userIds: readonly string[],
): Promise<MessageInitShape<typeof ProfileSchema>[]> {
  if (userIds.length > maxIds) throw invalid('user_ids', `Must have at most ${maxIds} ids`)
  const ids = userIds.filter(isId)
  const accounts = ids.length === 0 ? [] : await listAccounts(ctx.db, ids)
  return accounts.map(({ id, name, picture }) => ({ userId: id, name, picture: picture ?? '' }))
}
