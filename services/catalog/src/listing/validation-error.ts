import { DomainError, type ProblemDetail } from '@marketplace/kit/errors/problem.ts'

export const unknownCategory: ProblemDetail = { path: 'category_id', message: 'Choose an existing category' }

/** Error 400 that names all fields with a problem. */
export function validationError(details: readonly ProblemDetail[]): DomainError {
  return new DomainError('invalid', 'invalid', details[0]?.message ?? 'The listing is not valid', { details })
}
