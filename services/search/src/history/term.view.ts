import { z } from 'zod'

export const TermView = z.object({ search_term: z.string() }).meta({ id: 'SearchTerm' })
