import { z } from 'zod'

/** Schema of every error response. Some responses have additional fields, such as the response to a rejected bid. */
export const Problem = z
  .looseObject({
    error: z.string(),
    code: z.string(),
    details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503

type Problems<Status extends number> = Readonly<Record<Status, typeof Problem>>

/**
 * Returns `responses` plus the error schema for each status in `statuses`. Omit common errors such as 401 from
 * `statuses`; `declareCommonResponses` adds them.
 */
export function routeResponses<Responses extends Record<number, z.ZodType>, Status extends ProblemStatus = never>(
  responses: Responses,
  ...statuses: Status[]
): Problems<Status> & Responses {
  return { ...problemsOf(statuses), ...responses }
}

/** Returns the schema of an error response for each status. */
export function problemsOf<Status extends ProblemStatus>(statuses: readonly Status[]): Problems<Status>
export function problemsOf(statuses: readonly ProblemStatus[]): Record<number, typeof Problem> {
  return Object.fromEntries(statuses.map((status) => [status, Problem]))
}
