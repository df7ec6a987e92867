import { PersonalDataRequestedSchema } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/events/outbox.ts'
import type { PersonalDataRequest, RequestStep } from './request.ts'
import { toProtoStep } from './step-mapping.ts'

const versions = { ask: 1, export: 1, erase: 2 } as const

export function personalDataRequested(
  { id: requestId, accountId: userId }: PersonalDataRequest,
  step: RequestStep,
): OutgoingEvent<typeof PersonalDataRequestedSchema> {
  return {
    topic: topics.users,
    key: userId,
    version: versions[step],
    schema: PersonalDataRequestedSchema,
    message: { requestId, userId, step: toProtoStep(step) },
  }
}
