import { z } from 'zod'

/** A query's schema. An empty parameter is none, as forms send it; `search[]=a` and `search[$ne]=` are no text. */
export function queryOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(scalars, z.object(shape))
}

function scalars(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query
  const given = Object.entries(query).filter(([key, value]) => value !== '' || key.includes('['))
  return Object.fromEntries(
    given.map(([key, value]) => (key.includes('[') ? [key.split('[')[0], [value]] : [key, value])),
  )
}
