import { counter } from '@marketplace/kit/telemetry/metrics.ts'
import type { Db } from '../db.ts'
import type { Session } from '../session.ts'
import { noFilters, type Filters } from '../browse/filters.ts'
import type { FindListings, ListingsPage } from '../browse/find-listings.ts'
import { sortFor, type Browse } from '../browse/browse.ts'
import { readCategories } from '../suggestion/categories.repo.ts'
import { categoriesOf } from '../synonyms/expansions.ts'
import { readTypedWords } from './typed-words.repo.ts'
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
export function createFindRecovery({ findPage, findTotal }: FindListings) {
  return async (session: Session, request: RecoveryRequest): Promise<Recovery> => {
    const { search, filters, location } = request
    const widened = search === null ? [] : await widen(session, search, filters)
    const dropped = dropFilters(filters, location).slice(0, maxSteps - widened.length)
    const attempts = [...dropped.map((drop): Attempt => ({ kind: 'filter', search, ...drop })), ...widened]
    const found = await findFirst((browse) => findPage(session, browse), attempts)
    // For the remaining attempts, only the number of listings is needed.
    const rest = await Promise.all(
      attempts.slice(found.tried).map(async (attempt) => toStep(attempt, await findTotal(session, attempt))),
    )
    const steps = [...found.steps, ...rest].filter(({ total }) => total !== '0')
    for (const { kind } of steps) recoveries.inc({ kind })
    return { steps, page: found.page }
  }
}

// Runs the attempts one by one until an attempt finds a listing.
async function findFirst(findPage: (browse: Browse) => Promise<ListingsPage>, attempts: readonly Attempt[]) {
  for (const [index, attempt] of attempts.entries()) {
    const { search, filters } = attempt
    const page = await findPage({ search, filters, sort: sortFor(null, search), limit: maxListings, after: null })
    if (page.total !== '0') return { page, steps: [toStep(attempt, page.total)], tried: index + 1 }
  }
  return { page: null, steps: [], tried: attempts.length }
}

function toStep({ kind, name, value }: Attempt, total: string): RecoveryStep {
  return { kind, name, value, total }
}

// Returns up to two attempts: the search without its rarest word, and all listings in a category that matches a word.
async function widen({ db, expansions }: Session, search: string, filters: Filters): Promise<Attempt[]> {
  const typed = await readTypedWords(db, search)
  const attempts = [
    withoutWordOf(search, typed.rarest, filters),
    await inCategory(db, categoriesOf(expansions, typed.lexemes)),
  ]
  return attempts.filter((attempt) => attempt !== null)
}

function withoutWordOf(search: string, word: string | null, filters: Filters): Attempt | null {
  const rest = word === null ? null : withoutWord(search, word)
  return word === null || rest === null ? null : { kind: 'word', name: rest, value: word, search: rest, filters }
}

async function inCategory(db: Db, [slug]: readonly string[]): Promise<Attempt | null> {
  const categories = slug === undefined ? [] : await readCategories(db)
  const category = categories.find((one) => one.slug === slug)
  if (!category) return null
  const { name, slug: value } = category
  return { kind: 'category', name, value, search: null, filters: { ...noFilters, category: value } }
}
