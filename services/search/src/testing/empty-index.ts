import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createHarness, type Harness } from './harness.ts'

/** Creates a harness before the tests of a file, passes it to `onStart`, and empties the index before each test. */
export function startWithEmptyIndex(onStart: (harness: Harness) => void): void {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness()
    onStart(harness)
  })
  beforeEach(async () => {
    await harness.query('truncate listings, bids, views, listing_words, vocabulary, lexemes')
  })
  afterAll(() => harness.close())
}
