import { z } from 'zod'

/** The shape of every refusal; some carry more beside `error`, as a refused bid does. */
export const Problem = z
  .looseObject({
    error: z.string(),
    code: z.string(),
    details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' })

const problems = {
  400: Problem,
  401: Problem,
  403: Problem,
  404: Problem,
  409: Problem,
  413: Problem,
  415: Problem,
  422: Problem,
  429: Problem,
  500: Problem,
  503: Problem,
}

/** A route's `response` schemas: what it answers, and the refusals that any route may answer. */
export function answers<Answers extends Record<number, z.ZodType>>(given: Answers): typeof problems & Answers {
  return { ...problems, ...given }
}
