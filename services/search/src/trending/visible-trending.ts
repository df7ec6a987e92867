import { LRUCache } from 'lru-cache'
import { createAdaptiveCache } from '../adaptive-cache.ts'
import type { Db } from '../db.ts'
import { searchTerm } from '../history/search-term.ts'
import { maxTrending, type TrendingStore } from './trending-store.ts'
import { readBlockedKeys, readMatching } from './visible-terms.repo.ts'

/** Maximum number of terms that a process checks per minute for a matching active listing. */
export const maxChecksPerMinute = 20

const minuteMs = 60_000
// Number of terms that the home page shows. These terms are checked before all others and more often.
const shownTerms = 10
const shownTtlMs = 2 * minuteMs
const otherTtlMs = 15 * minuteMs

interface Verdict {
  hasMatch: boolean
  at: number
}

/**
 * Wraps a store and leaves out terms that are blocked, match no active listing or were not checked yet. The check is
 * needed, because a client can report results for a term that has none.
 */
export function visibleTrending(db: Db, store: TrendingStore, now: () => number = Date.now): TrendingStore {
  const verdicts = new LRUCache<string, Verdict>({ max: 2 * maxTrending })
  let minute = { startedAt: now(), checks: 0 }

  function takeDue(terms: readonly string[]): string[] {
    if (now() - minute.startedAt >= minuteMs) minute = { startedAt: now(), checks: 0 }
    const due = terms.filter((term, rank) => {
      const verdict = verdicts.get(keyOf(term))
      if (!verdict) return true
      return now() - verdict.at > (rank < shownTerms && verdict.hasMatch ? shownTtlMs : otherTtlMs)
    })
    const taken = due.slice(0, maxChecksPerMinute - minute.checks)
    minute.checks += taken.length
    return taken
  }

  async function check(terms: readonly string[]): Promise<void> {
    if (terms.length === 0) return
    const matching = await readMatching(db, terms)
    for (const term of terms) verdicts.set(keyOf(term), { hasMatch: matching.has(term), at: now() })
  }

  async function readTerms(): Promise<string[]> {
    const [counted, blockedKeys] = await Promise.all([store.top(maxTrending), readBlockedKeys(db)])
    const blocked = blockedKeys.map(wordsOf)
    const allowed = counted.filter((term) => !isBlocked(term, blocked))
    await check(takeDue(allowed))
    return allowed.filter((term) => verdicts.get(keyOf(term))?.hasMatch === true)
  }

  const cached = createAdaptiveCache(1, readTerms)
  return { top: async (limit) => (await cached('all')).slice(0, limit) }
}

// A blocked term also blocks terms that contain its words.
function isBlocked(term: string, blocked: readonly string[]): boolean {
  const words = wordsOf(term)
  return blocked.some((part) => words.includes(part))
}

const separators = /[^\p{L}\p{M}\p{N}]+/gu

// Returns the words of a term, with one space around each. Other characters only separate words, as in readMatching:
// `rude,lamp!` matches the same listings as `rude lamp`.
function wordsOf(term: string): string {
  return ` ${keyOf(term).replaceAll(separators, ' ').trim()} `
}

function keyOf(term: string): string {
  return searchTerm(term).key
}
