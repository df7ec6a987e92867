import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root, type Finished } from '../run/run.ts'
import { listTrackedFiles } from './tracked-files.ts'

const maxSourceFiles = 15

/** The most lines of a document. */
const maxLines: readonly (readonly [RegExp, number])[] = [
  [/^README\.md$/, 80],
  [/^ARCHITECTURE\.md$/, 20],
  [/^[a-z-]+\/README\.md$/, 40],
  [/^docs\/adr\/\d{4}-.*\.md$/, 40],
]

const isSource = (path: string) => /\.(tsx?|mjs|css)$/.test(path)
const isLeftOut = (path: string) => /\.(test|spec|chaos|conformance)\.tsx?$|\.module\.css$|(^|\/)gen\//.test(path)

/** Names folders with too many source files, `utils` folders and barrels. */
export function findStructureViolations(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths)
    if (isSource(path) && !isLeftOut(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const large = [...counts].filter(([, count]) => count > maxSourceFiles)
  return [
    ...large.map(([folder, count]) => `${folder} has ${count} source files; the limit is ${maxSourceFiles}.`),
    ...paths.filter((path) => /(^|\/)utils\//.test(path)).map((path) => `${path} is in a utils folder.`),
    ...paths.filter((path) => /(^|\/)index\.tsx?$/.test(path)).map((path) => `${path} is a barrel.`),
  ]
}

/** Names a document that is longer than its kind may be. */
export function findLengthViolation(path: string, text: string): string | undefined {
  const limit = maxLines.find(([pattern]) => pattern.test(path))?.[1]
  const lines = text.trimEnd().split('\n').length
  return limit !== undefined && lines > limit ? `${path} has ${lines} lines; the limit is ${limit}.` : undefined
}

export async function checkStructure(): Promise<Finished> {
  const paths = listTrackedFiles()
  const lengths = await Promise.all(
    paths
      .filter((path) => path.endsWith('.md'))
      .map(async (path) => findLengthViolation(path, await readFile(join(root, path), 'utf8'))),
  )
  const violations = [...findStructureViolations(paths), ...lengths.filter((line) => line !== undefined)]
  return { code: violations.length > 0 ? 1 : 0, output: violations.join('\n') }
}
