import { readFile } from 'node:fs/promises'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { readCategories, type Category } from '../suggestion/categories.repo.ts'
import { toExpansions, type Expansions, type Stems } from './expansions.ts'
import { readCategoryWords, readStems } from './expansions.repo.ts'
import { parseSynonyms, type SynonymLine } from './parse-synonyms.ts'

export type ReadExpansions = () => Promise<Expansions>

interface StemmedSynonyms {
  lines: readonly SynonymLine[]
  stems: ReadonlyMap<string, Stems>
}

const forProcessLifetimeMs = 24 * 3_600_000

/**
 * Creates the function that reads the alternatives for search words. Postgres stems the words of the synonym file, so
 * that they match the stemmed words of listings. Categories are read at most once every few seconds, and their names
 * are stemmed again only after a change.
 */
export function createReadExpansions(db: Db): ReadExpansions {
  const synonyms = createAdaptiveCache(
    1,
    () => readSynonyms(db),
    () => forProcessLifetimeMs,
  )
  const expansions = createAdaptiveCache(
    1,
    async (categories: readonly Category[]) =>
      toExpansions({ ...(await synonyms('all')), categories: await readCategoryWords(db, categories) }),
    () => forProcessLifetimeMs,
  )
  const cached = createAdaptiveCache(1, async () => expansions(await readCategories(db)))
  return () => cached('all')
}

async function readSynonyms(db: Db): Promise<StemmedSynonyms> {
  const lines = parseSynonyms(await readFile(new URL('synonyms.txt', import.meta.url), 'utf8'))
  const phrases = new Set(lines.flatMap(({ typed, found }) => [...typed, ...found]))
  return { lines, stems: await readStems(db, [...phrases]) }
}
