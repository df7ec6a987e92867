import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, type Finished } from '../run/run.ts'
import { readDecidingTests, type DecidingTest } from './test-titles.ts'

const row = /^\| ([A-Z]+-\d+|[A-Z]\d+) \|/gm
const idsOf = (text: string) => [...text.matchAll(row)].map(([, id = '']) => id)

/** Compares the ids of docs/requirements.md with the ids in test titles. */
export function findRequirementViolations(page: string, tests: readonly DecidingTest[]): string[] {
  const [sentences = '', rest = ''] = page.split('\n### Not tested\n')
  const required = idsOf(sentences)
  const untested = new Set(idsOf(rest.split('\n## ')[0] ?? ''))
  const decided = new Set(tests.filter(({ isSkipped }) => !isSkipped).flatMap(({ ids }) => ids))
  const known = new Set(required)
  return [
    ...required.filter((id, index) => required.indexOf(id) !== index).map((id) => `${id} has two sentences.`),
    ...required.filter((id) => !decided.has(id) && !untested.has(id)).map((id) => `${id} has no unskipped test.`),
    ...[...untested].filter((id) => decided.has(id)).map((id) => `${id} has a test and is listed as not tested.`),
    ...[...untested].filter((id) => !known.has(id)).map((id) => `${id} is listed as not tested and has no sentence.`),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id} has no sentence (${title}).`),
    ),
  ]
}

export async function checkRequirements(): Promise<Finished> {
  const page = await readFile(join(root, 'docs/requirements.md'), 'utf8')
  const violations = findRequirementViolations(page, readDecidingTests())
  return { code: violations.length > 0 ? 1 : 0, output: violations.join('\n') }
}
