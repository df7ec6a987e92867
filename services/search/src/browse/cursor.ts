import { Id } from '@marketplace/kit/ids.ts'
import { z } from 'zod'
import type { Position } from './browse.ts'

const Place = z.object({ at: z.iso.datetime(), id: Id })

const Cursor: z.ZodType<Position> = z.discriminatedUnion('in', [
  Place.extend({ in: z.enum(['newest', 'ending', 'not-ending', 'beyond-relevant']) }),
  z.object({ in: z.enum(['cheapest', 'dearest']), cents: z.int32(), id: Id }),
  z.object({ in: z.literal('relevant'), rank: z.number(), id: Id, newest: Place, oldest: Place }),
])

export function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** The position that a cursor names; null when it is none of ours. */
export function readCursor(cursor: string): Position | null {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    return null
  }
}
