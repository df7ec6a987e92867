import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { compareWithSdk } from './compare-with-sdk.ts'
import { browserOnly, differences, pinnedVersion, publishedVersion, sdkChangelog } from './differences.ts'
import { readExtract } from './extract-file.ts'
import { toPinnedApi } from './pinned-api.ts'
import { readSdkShapes } from './sdk-shapes.ts'

const extract = readExtract()
const shapes = readSdkShapes()

describe('the differences between the published document and the pinned version', () => {
  it('are between the version of the extract and the version of the SDK', () => {
    // When this fails the SDK has a new version: see docs/operations.md, "A new version of Stripe's SDK".
    expect(Stripe.API_VERSION).toBe(pinnedVersion)
    expect(extract.version).toBe(publishedVersion)
  })

  it('are complete, compared with the SDK’s types', () => {
    const expected = browserOnly.map(([owner, property]) => `${owner} ${property}: only the document has it`)
    expect(compareWithSdk(toPinnedApi(extract), shapes)).toEqual(expected)
  })

  it.each(differences.map((difference) => [difference.changelog, difference] as const))(
    'are each needed: %s',
    (_, left) => {
      const others = differences.filter((difference) => difference !== left)
      expect(compareWithSdk(toPinnedApi(extract, others), shapes).length).toBeGreaterThan(browserOnly.length)
    },
  )

  it('link changelog pages newer than the document and not newer than the SDK', () => {
    const page = /^https:\/\/docs\.stripe\.com\/changelog\/\w+\/(\d{4}-\d\d-\d\d)\/[-\w]+$/
    const pages = differences.map(({ changelog }) => changelog).filter((link) => !link.startsWith(`${sdkChangelog}#`))
    const since = pages.map((link) => page.exec(link)?.[1] ?? link)
    const [after, until] = [publishedVersion.slice(0, 10), pinnedVersion.slice(0, 10)]
    expect(since.filter((date) => !(after < date && date <= until))).toEqual([])
  })

  it.each([
    { removed: [['charge', 'nothing'] as const] },
    { added: [{ place: ['charge', 'amount'] as const, schema: true }] },
    { addedValues: { places: [['charge', 'status'] as const], values: ['pending'] } },
    { addedValues: { places: [['charge', 'amount'] as const], values: ['many'] } },
  ])('are rejected when the document has them already: %o', (change) => {
    expect(() => toPinnedApi(extract, [{ changelog: '', ...change }])).toThrow('has this difference already')
  })
})
