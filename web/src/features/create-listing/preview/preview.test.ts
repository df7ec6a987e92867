import { expect, it } from 'vitest'
import { emptyDraft } from '../draft.ts'
import { toPreview } from './preview.ts'

const now = new Date('2025-11-20T12:00:00Z')
const auction = { ...emptyDraft, isAuction: true }

it.each([
  ['has no end date', '', null],
  ['has an end date', '2025-12-01T10:00', new Date('2025-12-01T10:00').toISOString()],
  ['has a year of five digits', '20261-12-31T10:00', null],
  ['has a year of six digits', '202610-12-31T10:00', null],
])('SELL-08 the preview of an auction that %s shows %j as %s', (_case, endsAt, shown) => {
  expect(toPreview({ ...auction, endsAt }, 'Garden', now).auction_end_date).toBe(shown)
})
