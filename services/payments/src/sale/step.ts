import type { DomainError } from '@marketplace/kit/problem.ts'
import type { Intent } from './intent.ts'
import type { Sale } from './sale.ts'

/** Null: read the sale again, since it moved, here or elsewhere. */
export type StepAnswer =
  | { kind: 'rests'; sale: Sale; intent: Intent | null }
  | { kind: 'refused'; problem: DomainError }
  | null

export function rests(sale: Sale, intent: Intent | null = null): StepAnswer {
  return { kind: 'rests', sale, intent }
}
