import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import type { Context } from '../context.ts'
import { noFilters, type Filters } from '../browse/filters.ts'
import type { FindListings, ListingsPage } from '../browse/find-listings.ts'
import { sortFor } from '../browse/browse.ts'
import { readCategories } from '../suggestion/categories.repo.ts'
import { categoriesOf } from '../synonyms/expansions.ts'
import { readStems } from '../synonyms/expansions.repo.ts'
import { readRarestWord } from './rarest-word.repo.ts'
import { dropFilters, maxSteps, withoutWord, type RecoveryStep } from './recovery.ts'

export interface RecoveryRequest {
  search: string | null
  filters: Filters
  location: string | undefined
}

export interface Recovery {
  steps: RecoveryStep[]
  page: ListingsPage | null
}

interface Attempt extends Omit<RecoveryStep, 'total'> {
  search: string | null
  filters: Filters
}

const recoveries = counter('search_recovery_total', 'Ways out that were offered after a search without results.', [
  'kind',
])

const maxListings = 12

/**
 * Creates the function that finds alternatives to a search without results: the same search without one filter, the
 * same search without one word, or all listings of a category.
 */
export function createFindRecovery(ctx: Context, findListings: FindListings) {
  return async (request: RecoveryRequest): Promise<Recovery> => {
    const { search, filters, location } = request
    const others = search === null ? [] : [await withoutRarestWord(ctx, search, filters), await inCategory(ctx, search)]
    const widened = others.filter((attempt) => attempt !== null)
    const dropped = dropFilters(filters, location).slice(0, maxSteps - widened.length)
    const attempts = [...dropped.map((drop): Attempt => ({ kind: 'filter', search, ...drop })), ...widened]
    const found = await Promise.all(
      attempts.map(async ({ search: words, filters: kept, ...step }) => {
        const sort = sortFor(null, words)
        const page = await findListings({ search: words, filters: kept, sort, limit: maxListings, after: null })
        return { step: { ...step, total: page.total }, page }
      }),
    )
    const useful = found.filter(({ page }) => page.total !== '0')
    for (const { step } of useful) recoveries.inc({ kind: step.kind })
    return { steps: useful.map(({ step }) => step), page: useful[0]?.page ?? null }
  }
}

async function withoutRarestWord({ db }: Context, search: string, filters: Filters): Promise<Attempt | null> {
  const word = await readRarestWord(db, search)
  const rest = word === null ? null : withoutWord(search, word)
  return word === null || rest === null ? null : { kind: 'word', name: rest, value: word, search: rest, filters }
}

async function inCategory({ db, readExpansions }: Context, search: string): Promise<Attempt | null> {
  const [stems, expansions, categories] = await Promise.all([
    readStems(db, [search]),
    readExpansions(),
    readCategories(db),
  ])
  const [slug] = categoriesOf(expansions, stems.get(search)?.lexemes ?? [])
  const category = categories.find((one) => one.slug === slug)
  if (!category) return null
  const { name, slug: value } = category
  return { kind: 'category', name, value, search: null, filters: { ...noFilters, category: value } }
}
