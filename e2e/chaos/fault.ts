import type { Load } from '../faults/load.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** Something that happens to a running marketplace. */
export interface Fault {
  title: string
  /** Does the harm and ends it; the load goes on meanwhile and for a while after. */
  strike: (stack: ChaosStack, load: Load) => Promise<void>
  /** Which answers of 500 and above people may get meanwhile; none unless given. */
  mayFail?: RegExp
  /** How long after its end everything has to be equal; a minute unless given. */
  equalWithinMs?: number
  /** How often the long form does it; once unless given. */
  times?: number
  /** Also in the short form. */
  isShort?: true
}

/** Long unless the run is the short one. */
export const isLong = process.env['CHAOS'] === 'all'

export function longOrShort(longMs: number, shortMs: number): number {
  return isLong ? longMs : shortMs
}
