import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { root, type Finished } from '../run/run.ts'
import { runSquawk } from '../squawk/squawk.ts'
import applied from './applied-migrations.json' with { type: 'json' }

const folders = ['packages/kit/migrations/*.sql', 'services/*/migrations/*.sql']
const concurrentSuffix = '.concurrent.sql'

// Both build or drop without blocking writes, and can be repeated after a failure.
const concurrentStatement =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists) /
// Locks each row until the migration commits. The comment gives the reason why there are few.
const rewrite = /^(?:update|delete|insert into [^;]*\sselect|with)\b/
const boundedComment = /^-- bounded: ./m

/**
 * Rejects changed migrations of the list in applied-migrations.json, statements of newer ones that block reads or
 * writes of a table in use, and numbers that are used twice or left out.
 */
export async function checkMigrations(): Promise<Finished> {
  const files = folders.flatMap((pattern) => globSync(pattern, { cwd: root })).toSorted()
  const baseline = new Map(Object.entries(applied))
  const violations = [...(await changedFiles(baseline)), ...findWrongNumbers(files)]
  const added = files.filter((file) => !baseline.has(file))
  const found = await findBlockingStatements(added.map((file) => join(root, file)))
  const hint = found.length > 0 ? ['See “Migrations of tables in use” in CONTRIBUTING.md.'] : []
  const output = [...violations, ...found, ...hint].join('\n')
  return { code: output === '' ? 0 : 1, output }
}

async function changedFiles(baseline: ReadonlyMap<string, string>): Promise<string[]> {
  const changed: string[] = []
  for (const [file, checksum] of baseline) {
    const text = await readFile(join(root, file)).catch(() => '')
    if (createHash('sha256').update(text).digest('hex') !== checksum) changed.push(`${file} is applied; add another.`)
  }
  return changed
}

/** Returns a message for each file whose number is not the one after the previous file of its folder. Files are sorted. */
export function findWrongNumbers(files: readonly string[]): string[] {
  const lastNumbers = new Map<string, number>()
  return files.flatMap((file) => {
    const folder = dirname(file)
    const expected = (lastNumbers.get(folder) ?? 0) + 1
    const number = Number(basename(file).slice(0, 4))
    lastNumbers.set(folder, number)
    return number === expected ? [] : [`${file}: the next number is ${String(expected).padStart(4, '0')}`]
  })
}

/** Returns squawk's findings in the files, and statements that rewrite rows or do not fit a concurrent file. */
export async function findBlockingStatements(files: readonly string[]): Promise<string[]> {
  const isConcurrent = (file: string) => file.endsWith(concurrentSuffix)
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const))
  return [
    ...texts.flatMap(([file, text]) =>
      statementsOf(text)
        .filter((statement) =>
          isConcurrent(file) ? !concurrentStatement.test(sqlOf(statement)) : isRewrite(statement),
        )
        .map(
          (statement) => `${file}: ${isConcurrent(file) ? 'not a concurrent index' : 'rewrites rows'}: ${statement}`,
        ),
    ),
    ...(await lint(files.filter(isConcurrent), '--no-assume-in-transaction')),
    ...(await lint(
      files.filter((file) => !isConcurrent(file)),
      '--assume-in-transaction',
    )),
  ]
}

async function lint(files: readonly string[], mode: string): Promise<string[]> {
  if (files.length === 0) return []
  const { code, output } = await runSquawk([mode, '--reporter', 'gcc', ...files])
  return code === 0 ? [] : [output.trim()]
}

// Without the bodies of functions, whose statements do not run in the migration.
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/\$\$.*?\$\$/gs, '$$$$')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => sqlOf(statement) !== '')
}

function sqlOf(statement: string): string {
  return statement
    .replaceAll(/^--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

function isRewrite(statement: string): boolean {
  return rewrite.test(sqlOf(statement)) && !boundedComment.test(statement)
}

const injected: Record<string, string> = {
  'index.sql': 'create index injected on accounts (email);\n',
  'not-null.sql': 'alter table accounts alter column email set not null;\n',
  'rewrite.sql': 'update accounts set email = lower(email);\n',
  'table.concurrent.sql': 'alter table accounts add column if not exists note text;\n',
}

/** Checks that each injected blocking statement is found. */
export async function checkInjectedMigrations(): Promise<Finished> {
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-migrations-'))
  try {
    const missed: string[] = []
    for (const [name, text] of Object.entries(injected)) {
      const file = join(folder, name)
      await writeFile(file, text)
      if ((await findBlockingStatements([file])).length === 0) missed.push(`${name} was not found.`)
    }
    return { code: missed.length, output: missed.join('\n') }
  } finally {
    await rm(folder, { recursive: true })
  }
}
