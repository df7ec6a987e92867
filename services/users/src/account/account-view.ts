import { Id } from '@marketplace/kit/values/ids.ts'
import { z } from 'zod'
import type { Account } from './account.ts'

export const User = z
  .strictObject({
    id: Id,
    email: z.string(),
    google_user_data: z.strictObject({ name: z.string(), picture: z.string().nullable() }),
  })
  .meta({ id: 'User' })

export function toUserView({ id, email, name, picture }: Account): z.output<typeof User> {
  return { id, email, google_user_data: { name, picture } }
}
