import { CursorInstant } from '@marketplace/kit/http/paging.ts'
import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Position } from './browse.ts'

const CreationKey = z.object({ at: CursorInstant, id: Id })

export const BrowseCursor: z.ZodType<Position> = z.discriminatedUnion('in', [
  CreationKey.extend({ in: z.enum(['newest', 'ending', 'not-ending', 'beyond-relevant', 'related']) }),
  z.object({ in: z.enum(['cheapest', 'dearest']), cents: z.int32(), id: Id }),
  z.object({ in: z.literal('relevant'), rank: z.number(), id: Id, newest: CreationKey, oldest: CreationKey }),
])
