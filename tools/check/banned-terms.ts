import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, type Finished } from '../run/run.ts'
import { readBannedTerms, type BannedTerm } from './glossary-terms.ts'
import { collapse, readSource, type SourceText } from './source-text.ts'
import { listTrackedFiles } from './tracked-files.ts'

export type TermCounts = Record<string, number>

export interface TrackedFile {
  path: string
  text: string
}

const read = /\.(tsx?|mjs|md|ya?ml|sh|json)$/
// The glossary names the old terms; ADRs are history; migrations are applied; the rest is generated.
const exempt =
  /^(docs\/(glossary|performance|requirements)\.md|docs\/adr\/.*|.*\/migrations\/.*|proto\/.*|.*\/gen\/.*|.*\.gen\.\w+|.*openapi\.json|.*package(-lock)?\.json|bench\/results\/.*|deploy\/helm\/marketplace\/values.*|tools\/check\/(banned-terms\.test|glossary-terms)\.ts|CREDITS\.md)$/

/** Counts the occurrences of every banned term; a term without one is left out. */
export function countBannedTerms(terms: readonly BannedTerm[], files: readonly TrackedFile[]): TermCounts {
  const counts: TermCounts = {}
  for (const { path, text } of files) {
    const source = /\.(tsx?|mjs)$/.test(path)
      ? readSource(path, text)
      : { declared: [], literals: [], prose: collapse(text) }
    for (const banned of terms) {
      if (!banned.folders.some((folder) => path.startsWith(`${folder}/`))) continue
      const found = occurrences(banned, path, source)
      if (found > 0) counts[banned.term] = (counts[banned.term] ?? 0) + found
    }
  }
  return counts
}

function occurrences({ term, kind }: BannedTerm, path: string, { declared, literals, prose }: SourceText): number {
  if (kind === 'file') return `/${path}`.endsWith(`/${term}`) ? 1 : 0
  if (kind === 'identifier') return declared.filter((name) => name === term).length
  if (kind === 'literal') return literals.filter((literal) => literal === term).length
  return prose.split(term).length - 1
}

/** Names every banned term that occurs. */
export function findTermViolations(counts: TermCounts): string[] {
  return Object.entries(counts).map(([term, count]) => `"${term}" occurs ${count} times: see docs/glossary.md.`)
}

/** Counts the banned terms of the tracked files. */
async function countTree(): Promise<TermCounts> {
  const paths = listTrackedFiles().filter((path) => read.test(path) && !exempt.test(path))
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
  const terms = readBannedTerms(await readFile(join(root, 'docs/glossary.md'), 'utf8'))
  return countBannedTerms(terms, files)
}

export async function checkBannedTerms(): Promise<Finished> {
  const violations = findTermViolations(await countTree())
  return { code: violations.length > 0 ? 1 : 0, output: violations.join('\n') }
}
