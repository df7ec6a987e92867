import { z } from 'zod'

/**
 * Builds the schema of a query string. Empty parameters count as missing, because HTML forms send empty fields.
 * Parameters in bracket notation (such as `search[]=a`) become arrays, so text fields reject them.
 */
export function querySchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(normalizeQuery, z.object(shape))
}

function normalizeQuery(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query
  const present = Object.entries(query).filter(([key, value]) => value !== '' || key.includes('['))
  return Object.fromEntries(
    present.map(([key, value]) => (key.includes('[') ? [key.split('[')[0], [value]] : [key, value])),
  )
}
