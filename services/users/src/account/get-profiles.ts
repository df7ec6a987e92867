import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProfileSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { isId } from '@marketplace/kit/ids.ts'
import { invalid } from '@marketplace/kit/problem.ts'
import type { Context } from '../context.ts'
import { listAccounts } from './accounts.repo.ts'

const maxIds = 100

/** Names and pictures; who is unknown is left out. */
export async function getProfiles(
  ctx: Context,
  userIds: readonly string[],
): Promise<MessageInitShape<typeof ProfileSchema>[]> {
  if (userIds.length > maxIds) throw invalid('user_ids', `At most ${maxIds} at once`)
  const ids = userIds.filter(isId)
  const accounts = ids.length === 0 ? [] : await listAccounts(ctx.db, ids)
  return accounts.map(({ id, name, picture }) => ({ userId: id, name, picture: picture ?? '' }))
}
