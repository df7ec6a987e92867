import { PersonalDataStep } from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import type { RequestStep } from './request.ts'

const protoSteps = {
  ask: PersonalDataStep.ASK,
  export: PersonalDataStep.EXPORT,
  erase: PersonalDataStep.ERASE,
} as const

/** Converts a protobuf value to a step. Returns null for a value that this version of the service does not support. */
export function toStep(step: PersonalDataStep): RequestStep | null {
  if (step === PersonalDataStep.ASK) return 'ask'
  if (step === PersonalDataStep.EXPORT) return 'export'
  return step === PersonalDataStep.ERASE ? 'erase' : null
}

export function toProtoStep(step: RequestStep): PersonalDataStep {
  return protoSteps[step]
}
