import { z } from 'zod'

/** Schema of every error response. Some responses have additional fields, for example the response to a rejected bid. */
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

/**
 * Returns the `response` schemas of a route: the given schemas and the schemas of the errors that every route may return.
 */
export function routeResponses<Responses extends Record<number, z.ZodType>>(
  responses: Responses,
): typeof problems & Responses {
  return { ...problems, ...responses }
}
