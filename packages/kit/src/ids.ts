import { v7 } from 'uuid'
import { z } from 'zod'

/** A new UUIDv7: ordered by the time of its making. */
export function newId(): string {
  return v7()
}

/** An id in a request; one spelling only. */
export const Id = z.uuidv7().toLowerCase()

export function isId(value: string): boolean {
  return Id.safeParse(value).success
}
