import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { validationMessage } from './validation-message.ts'
import { text } from './text.ts'

const Body = z.object({
  listing_id: z.uuidv7(),
  amount: z.number(),
  is_auction: z.boolean().optional(),
  image_urls: z.array(z.string()).max(2).optional(),
  cursor: z.string().max(3).optional(),
  sender: z.enum(['bot', 'user']).optional(),
  end: z.iso.datetime({ offset: true }).optional(),
  limit: z.int().min(1).max(100).optional(),
  title: text({ min: 1, max: 3, tooShort: 'Title is required' }).optional(),
  location: text({ max: 3 }).optional(),
})
const valid = { listing_id: '01890a5d-ac96-774b-bcce-b302099a8057', amount: 1 }

function messageFor(body: object): string {
  const [issue] = Body.safeParse(body).error?.issues ?? []
  return validationMessage({ path: issue?.path.join('.') ?? '', message: issue?.message ?? '' })
}

describe('the validation message', () => {
  it.each([
    [{ amount: 1 }, 'Listing is required'],
    [{ ...valid, listing_id: 7 }, 'Listing must be text'],
    [{ ...valid, listing_id: 'zz' }, 'Listing is not a valid id'],
    [{ listing_id: valid.listing_id }, 'Amount is required'],
    [{ ...valid, amount: '5' }, 'Amount must be a number'],
    [{ ...valid, amount: Number.NaN }, 'Amount must be a number'],
    [{ ...valid, is_auction: 'yes' }, 'Is auction must be true or false'],
    [{ ...valid, image_urls: {} }, 'Image urls must be a list'],
    [{ ...valid, image_urls: [7] }, 'Image urls must be text'],
    [{ ...valid, sender: 'system' }, 'Sender must be one of bot, user'],
    [{ ...valid, end: '2026-02-30' }, 'End must be a date and time with its offset'],
    [{ ...valid, limit: 101 }, 'Limit must be at most 100'],
    [{ ...valid, limit: 0 }, 'Limit must be at least 1'],
    [{ ...valid, cursor: 'long' }, 'Cursor must have at most 3 characters'],
    [{ ...valid, image_urls: ['a', 'b', 'c'] }, 'Image urls must have at most 2 items'],
    [{ ...valid, title: ' ' }, 'Title is required'],
    [{ ...valid, location: 'long' }, 'Location must have at most 3 characters'],
    [{ ...valid, location: '\u0000' }, 'Location must not contain NUL or broken characters'],
  ])('for %j is: %s', (body, message) => {
    expect(messageFor(body)).toBe(message)
  })

  it('names the body if the whole body is invalid', () => {
    expect(validationMessage({ path: 'body', message: 'Invalid input: expected object, received null' })).toBe(
      'Body must be an object',
    )
  })
})
