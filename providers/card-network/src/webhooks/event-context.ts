import type { Faults } from '../faults/faults.ts'

export interface EventContext {
  readonly apiVersion: string
  readonly isSent: boolean
  readonly faults: Faults
}
