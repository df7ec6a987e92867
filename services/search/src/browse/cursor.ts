import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Position } from './browse.ts'

const CreationKey = z.object({ at: z.iso.datetime(), id: Id })

const Cursor: z.ZodType<Position> = z.discriminatedUnion('in', [
  CreationKey.extend({ in: z.enum(['newest', 'ending', 'not-ending', 'beyond-relevant']) }),
  z.object({ in: z.enum(['cheapest', 'dearest']), cents: z.int32(), id: Id }),
  z.object({ in: z.literal('relevant'), rank: z.number(), id: Id, newest: CreationKey, oldest: CreationKey }),
])

export function writeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Decodes a cursor to its position; null if it is not a valid cursor. */
export function readCursor(cursor: string): Position | null {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    return null
  }
}
