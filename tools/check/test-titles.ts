import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { root } from '../run/run.ts'
import { listTrackedFiles } from './tracked-files.ts'

/** A title, or the row of a table of tests, that carries ids of requirements. */
export interface DecidingTest {
  file: string
  title: string
  ids: readonly string[]
  isSkipped: boolean
}

const isTestFile = (path: string) => /\.(test|spec|chaos|conformance)\.tsx?$/.test(path)

const leadingIds = /^((?:(?:[A-Z]+-\d+|[A-Z]\d+)[, ]+)+)\S/
const idInParentheses = /\(([A-Z]+-\d+|[A-Z]\d+)\)/g
const id = /[A-Z]+-?\d+/g

/** Reads every test of the repository that carries ids, in the order of the files. */
export function readDecidingTests(): DecidingTest[] {
  return (
    listTrackedFiles()
      // The titles in requirements.test.ts are examples.
      .filter((file) => isTestFile(file) && file !== 'tools/check/requirements.test.ts')
      .flatMap((file) => findDecidingTests(file, readFileSync(join(root, file), 'utf8')))
  )
}

/** Finds the titles with ids in the text of one test file; rows of `it.each` count like titles. */
export function findDecidingTests(file: string, text: string): DecidingTest[] {
  const { program } = parseSync(file, text)
  const skipped: { start: number; end: number }[] = []
  const found: { start: number; title: string }[] = []
  new Visitor({
    CallExpression: ({ callee, start, end }) => {
      if (/^(it|test|describe)\b[^'"`]*?\.(skip|todo|fails|fixme)\b/.test(text.slice(start, callee.end)))
        skipped.push({ start, end })
    },
    Literal: ({ start, value }) => {
      if (typeof value === 'string') found.push({ start, title: value })
    },
    TemplateLiteral: ({ start, quasis }) => {
      found.push({ start, title: quasis.map(({ value }) => value.cooked ?? '').join('…') })
    },
  }).visit(program)
  return found.flatMap(({ start, title }) => {
    const ids = idsOf(title)
    if (ids.length === 0) return []
    return [{ file, title, ids, isSkipped: skipped.some((call) => call.start <= start && start < call.end) }]
  })
}

function idsOf(title: string): string[] {
  const leading = leadingIds.exec(title)?.[1]?.match(id) ?? []
  return [...new Set([...leading, ...[...title.matchAll(idInParentheses)].map(([, found = '']) => found)])]
}
