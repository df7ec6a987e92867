import type { DomainError } from '@marketplace/kit/errors/problem.ts'
import type { Intent } from '../intent.ts'
import type { Sale } from '../sale.ts'

/**
 * Result of a step. Null means that the sale has changed, by this step or by another process, and must be read again.
 */
export type StepResult =
  | { kind: 'idle'; sale: Sale; intent: Intent | null }
  | { kind: 'rejected'; error: DomainError }
  | null

/** Returns the result when no further step applies now. */
export function idle(sale: Sale, intent: Intent | null = null): StepResult {
  return { kind: 'idle', sale, intent }
}
