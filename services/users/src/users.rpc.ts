import type { ConnectRouter } from '@connectrpc/connect'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { UsersService } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { addressHeader, readAddress } from '@marketplace/kit/http/client-address.ts'
import { getProfiles } from './account/get-profiles.ts'
import type { Context } from './context.ts'
import { toStep } from './personal-data/step-mapping.ts'
import { recordReceipt } from './personal-data/record-receipt.ts'
import { refreshSession } from './session/refresh-session.ts'

export function usersRpc(router: ConnectRouter, ctx: Context): void {
  router.service(UsersService, {
    async getProfiles({ userIds }) {
      return { profiles: await getProfiles(ctx, userIds) }
    },
    async refreshSession({ refreshToken }, { requestHeader }) {
      const tokens = await refreshSession(ctx, refreshToken, readAddress(requestHeader.get(addressHeader)))
      if (!tokens) return { answer: { case: 'over', value: {} } }
      const refreshExpiresAt = timestampFromDate(tokens.refreshExpiresAt)
      return { answer: { case: 'tokens', value: { ...tokens, refreshExpiresAt } } }
    },
    async takePersonalData({ requestId, service, step: number, receipt }) {
      const step = toStep(number)
      if (step) await recordReceipt(ctx, requestId, { service, step, receipt: JSON.parse(receipt) })
      return {}
    },
  })
}
