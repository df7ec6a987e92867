import type { Load } from '../faults/load/load.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** A fault that is injected into a running marketplace. */
export interface Fault {
  title: string
  /** Injects the fault and ends it, while the load runs. */
  inject: (stack: ChaosStack, load: Load) => Promise<void>
  /** The responses of 500 and above that the load may get meanwhile; none by default. */
  mayFail?: RegExp
  /** How long after the load all records must agree, ms; one minute by default. */
  equalWithinMs?: number
  /** How often the long form injects it; once by default. */
  times?: number
  /** Also part of the short form. */
  isShort?: true
}

/** Whether this is the long form, in which faults last longer. */
export const isLong = process.env['NIGHTLY'] === 'true'

export function longOrShort(longMs: number, shortMs: number): number {
  return isLong ? longMs : shortMs
}
