import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface CommandResult {
  code: number
  output: string
}

describe('the migrate command', () => {
  let database: TestDatabase
  let folder: string

  beforeAll(async () => {
    database = await testDatabase()
    folder = await mkdtemp(join(tmpdir(), 'release-'))
    await writeFile(join(folder, '0001_numbers.sql'), 'create table numbers (n int);')
    const kit = JSON.stringify(join(import.meta.dirname, 'migrate.ts'))
    const topics = JSON.stringify(import.meta.resolve('@marketplace/bus/kafka/topics.ts'))
    const imports = `import { migrateCommand } from ${kit}\nimport { ensureTopics } from ${topics}\n`
    const command = `${imports}await migrateCommand(import.meta.dirname, ensureTopics)\n`
    await writeFile(join(folder, 'migrate.mts'), command)
  })
  afterAll(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  /** Runs the migrate command as in a pod, with only `env` as its environment. */
  function run(args: readonly string[], env: Record<string, string>): Promise<CommandResult> {
    return new Promise((done) => {
      execFile(process.execPath, [join(folder, 'migrate.mts'), ...args], { env }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, output: (stdout + stderr).trim() }),
      )
    })
  }

  function withPassword(url: string, password: string): string {
    const changed = new URL(url)
    changed.password = password
    return changed.href
  }

  it('rejects an old schema and accepts one that is up to date', async () => {
    const check = () => run(['--check'], { DATABASE_URL: database.url })
    expect(await check()).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The schema is too old: kit\/0001_events.sql, .+, service\/0001_numbers.sql must be applied first.$/,
      ),
    })
    expect((await run([], { OWNER_DATABASE_URL: database.ownerUrl })).code).toBe(0)
    expect(await check()).toEqual({ code: 0, output: 'The schema is up to date.' })
    await writeFile(join(folder, '0002_more.sql'), 'create table more (n int);')
    expect(await check()).toEqual({
      code: 1,
      output: 'The schema is too old: service/0002_more.sql must be applied first.',
    })
    await rm(join(folder, '0002_more.sql'))
  })

  it('names the setting with the wrong password of the owner or of the running role', async () => {
    const wrong = withPassword(database.ownerUrl, 'wrong')
    expect(await run(['--release'], { OWNER_DATABASE_URL: wrong, DATABASE_URL: database.url })).toEqual({
      code: 1,
      output: 'OWNER_DATABASE_URL does not work: password authentication failed for user "catalog_owner".',
    })
    const running = { OWNER_DATABASE_URL: database.ownerUrl, DATABASE_URL: withPassword(database.url, 'wrong') }
    expect(await run(['--release'], running)).toEqual({
      code: 1,
      output: 'DATABASE_URL does not work: password authentication failed for user "catalog_app".',
    })
  })

  it('rejects a running role that can change the schema', async () => {
    const { code, output } = await run(['--release'], {
      OWNER_DATABASE_URL: database.ownerUrl,
      DATABASE_URL: database.ownerUrl,
    })
    expect([code, output]).toEqual([
      1,
      'DATABASE_URL must not use the role catalog_owner, because it can change the schema.',
    ])
  })

  it('names unreachable brokers', async () => {
    const settings = { OWNER_DATABASE_URL: database.ownerUrl, DATABASE_URL: database.url, KAFKA_BROKERS: '127.0.0.1:1' }
    const { code, output } = await run(['--release', 'marketplace.catalog'], settings)
    expect(code).toBe(1)
    expect(output).toMatch(/^KAFKA_BROKERS does not work: 127\.0\.0\.1:1 \(.+\)\.$/)
  })

  it('names a missing setting', async () => {
    expect((await run(['--check'], {})).output).toMatch(/^DATABASE_URL is missing or invalid/)
  })
})
