import {
  PersonalDataRequestedSchema,
  PersonalDataStep,
} from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import type { OutgoingEvent } from '@marketplace/kit/outbox.ts'
import type { PersonalDataRequest, RequestStep } from './request.ts'

const numbers = { ask: PersonalDataStep.ASK, export: PersonalDataStep.EXPORT, erase: PersonalDataStep.ERASE } as const
const versions = { ask: 1, export: 1, erase: 2 } as const

/** The step as its name; null for one that this release does not know. */
export function stepFrom(step: PersonalDataStep): RequestStep | null {
  if (step === PersonalDataStep.ASK) return 'ask'
  if (step === PersonalDataStep.EXPORT) return 'export'
  return step === PersonalDataStep.ERASE ? 'erase' : null
}

export function personalDataRequested(
  { id: requestId, accountId: userId }: PersonalDataRequest,
  step: RequestStep,
): OutgoingEvent<typeof PersonalDataRequestedSchema> {
  return {
    topic: topics.users,
    key: userId,
    version: versions[step],
    schema: PersonalDataRequestedSchema,
    message: { requestId, userId, step: numbers[step] },
  }
}
