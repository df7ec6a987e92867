import type { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Intent } from '../intent.ts'
import type { Sale } from '../sale.ts'

/**
 * Result of one step of a sale. Null means that this step or another process has changed the sale, so that the caller
 * must read the sale again.
 */
export type StepResult =
  | { kind: 'idle'; sale: Sale; intent: Intent | null }
  | { kind: 'rejected'; error: DomainError }
  | null

/** Returns the result for a sale that needs no further step at present. */
export function idle(sale: Sale, intent: Intent | null = null): StepResult {
  return { kind: 'idle', sale, intent }
}
