import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sentenceFor } from './invalid-sentence.ts'
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
const fine = { listing_id: '01890a5d-ac96-774b-bcce-b302099a8057', amount: 1 }

function sentenceOf(body: object): string {
  const [issue] = Body.safeParse(body).error?.issues ?? []
  return sentenceFor({ path: issue?.path.join('.') ?? '', message: issue?.message ?? '' })
}

describe('what is wrong with a field', () => {
  it.each([
    [{ amount: 1 }, 'Listing is required'],
    [{ ...fine, listing_id: 7 }, 'Listing must be text'],
    [{ ...fine, listing_id: 'zz' }, 'Listing is not a valid id'],
    [{ listing_id: fine.listing_id }, 'Amount is required'],
    [{ ...fine, amount: '5' }, 'Amount must be a number'],
    [{ ...fine, amount: Number.NaN }, 'Amount must be a number'],
    [{ ...fine, is_auction: 'yes' }, 'Is auction must be true or false'],
    [{ ...fine, image_urls: {} }, 'Image urls must be a list'],
    [{ ...fine, image_urls: [7] }, 'Image urls must be text'],
    [{ ...fine, sender: 'system' }, 'Sender must be one of bot, user'],
    [{ ...fine, end: '2026-02-30' }, 'End must be a date and time with its offset'],
    [{ ...fine, limit: 101 }, 'Limit must be at most 100'],
    [{ ...fine, limit: 0 }, 'Limit must be at least 1'],
    [{ ...fine, cursor: 'long' }, 'Cursor must have at most 3 characters'],
    [{ ...fine, image_urls: ['a', 'b', 'c'] }, 'Image urls must have at most 2 items'],
    [{ ...fine, title: ' ' }, 'Title is required'],
    [{ ...fine, location: 'long' }, 'Location must have at most 3 characters'],
    [{ ...fine, location: '\u0000' }, 'Location must not contain NUL or broken characters'],
  ])('of %j is said to a person: %s', (body, sentence) => {
    expect(sentenceOf(body)).toBe(sentence)
  })

  it('is said of the whole body too', () => {
    expect(sentenceFor({ path: 'body', message: 'Invalid input: expected object, received null' })).toBe(
      'Body must be an object',
    )
  })
})
