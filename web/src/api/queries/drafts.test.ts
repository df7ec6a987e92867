import { expect, it } from 'vitest'
import { newDraftId } from './drafts.ts'

it('LIFE-20 a draft gets a new UUIDv7', () => {
  const [one, two] = [newDraftId(), newDraftId()]
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(one).not.toBe(two)
})
