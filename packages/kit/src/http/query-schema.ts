import { z } from 'zod'

/**
 * Builds the schema of a query string. An empty parameter counts as missing, because HTML forms send empty fields. The
 * value of a parameter in bracket notation (`search[]=a`, `search[$ne]=`) is wrapped in an array, so that a schema for
 * text rejects it.
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
