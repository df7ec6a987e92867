import type { ConnectRouter } from '@connectrpc/connect'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { getProfiles } from './account/get-profiles.ts'
import type { Context } from './context.ts'
import { stepFrom } from './personal-data/requests.events.ts'
import { takeReceipt } from './personal-data/take-receipt.ts'
import { refreshSession } from './session/refresh-session.ts'

export function usersRpc(router: ConnectRouter, ctx: Context): void {
  router.service(UsersService, {
    async getProfiles({ userIds }) {
      return { profiles: await getProfiles(ctx, userIds) }
    },
    async refreshSession({ refreshToken }) {
      const tokens = await refreshSession(ctx, refreshToken)
      if (!tokens) return { answer: { case: 'over', value: {} } }
      const refreshExpiresAt = timestampFromDate(tokens.refreshExpiresAt)
      return { answer: { case: 'tokens', value: { ...tokens, refreshExpiresAt } } }
    },
    async takePersonalData({ requestId, service, step: number, receipt }) {
      const step = stepFrom(number)
      if (step) await takeReceipt(ctx, requestId, { service, step, receipt: JSON.parse(receipt) })
      return {}
    },
  })
}
