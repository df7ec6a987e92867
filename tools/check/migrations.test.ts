import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBlockingStatements, findWrongNumbers } from './migrations.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function check(name: string, text: string): Promise<string[]> {
  const file = join(folder, name)
  await writeFile(file, text)
  return findBlockingStatements([file])
}

const index = 'create index concurrently if not exists bids_time on bids (at);'

describe('the check of migrations', () => {
  it.each([
    ['a new column', 'add.sql', 'alter table bids add column note text;'],
    [
      'a new table with its index',
      'table.sql',
      'create table notes (id uuid primary key);\ncreate index n on notes (id);',
    ],
    ['a constraint that is validated later', 'check.sql', 'alter table bids add constraint c check (n > 0) not valid;'],
    ['an index made concurrently', 'index.concurrent.sql', `-- The bids of an hour.\n${index}\n`],
    [
      'a rewrite that says why it is small',
      'few.sql',
      '-- bounded: one row per category.\nupdate categories set n = 1;',
    ],
  ])('accepts %s', async (_what, name, text) => {
    expect(await check(name, text)).toEqual([])
  })

  it.each([
    ['an index on an existing table', 'index.sql', 'create index bids_time on bids (at);', 'require-concurrent'],
    ['a constraint that is validated at once', 'check.sql', 'alter table bids add check (n > 0);', 'not-valid'],
    ['a new type', 'type.sql', 'alter table bids alter column n type bigint;', 'changing-column-type'],
    ['a dropped column', 'drop.sql', 'alter table bids drop column n;', 'ban-drop-column'],
    ['a rewrite', 'update.sql', 'alter table bids add column m int;\nupdate bids set m = n;', 'rewrites rows'],
    ['a copy', 'copy.sql', 'insert into copies (n)\n  select n from bids;', 'rewrites rows'],
    [
      'another statement beside concurrent indexes',
      'x.concurrent.sql',
      `${index}\nselect 1;`,
      'not a concurrent index',
    ],
    [
      'a concurrent index that cannot be repeated',
      'y.concurrent.sql',
      'create index concurrently i on b (n);',
      'not a',
    ],
  ])('rejects %s', async (_what, name, text, finding) => {
    expect((await check(name, text)).join('\n')).toContain(finding)
  })

  it('accepts numbers without gaps in each folder', () => {
    expect(findWrongNumbers(['a/0001_x.sql', 'a/0002_y.concurrent.sql', 'b/0001_z.sql'])).toEqual([])
  })

  it.each([
    ['a number used twice', ['a/0001_x.sql', 'a/0001_y.sql'], 'a/0001_y.sql: the next number is 0002'],
    ['a number left out', ['a/0001_x.sql', 'a/0003_y.sql'], 'a/0003_y.sql: the next number is 0002'],
    ['a first number other than 1', ['a/0002_x.sql'], 'a/0002_x.sql: the next number is 0001'],
  ])('rejects %s', (_what, files, message) => {
    expect(findWrongNumbers(files)).toEqual([message])
  })
})
