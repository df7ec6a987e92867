import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkProtocolBreaks } from './protocol-breaks.ts'
import { run } from '../run/run.ts'

let folder: string
let repo: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marketplace-protocol-'))
  repo = join(folder, 'repo')
  await mkdir(join(repo, 'proto/planted/v1'), { recursive: true })
  await git('init', '-q')
})
afterEach(() => rm(folder, { recursive: true }))

const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=planted', '-c', 'user.email=planted@example.com', ...args], { cwd: repo })

async function commit(field: string): Promise<void> {
  const message = `syntax = "proto3";\npackage planted.v1;\nmessage Planted {\n  ${field}\n}\n`
  await writeFile(join(repo, 'proto/buf.yaml'), 'version: v2\nbreaking:\n  use: [FILE]\n')
  await writeFile(join(repo, 'proto/planted/v1/planted.proto'), message)
  await git('add', '.')
  await git('commit', '-q', '-m', field)
}

describe('the protocol compared with the previous commit', () => {
  it('may gain a field', async () => {
    await commit('int32 amount = 1;')
    await commit('int32 amount = 1; string note = 2;')
    expect(await checkProtocolBreaks(repo)).toEqual({ code: 0, output: '' })
  })

  it.each(['string amount = 1;', 'int32 amount = 2;', 'int32 sum = 1;'])('is broken by %s', async (field) => {
    await commit('int32 amount = 1;')
    await commit(field)
    const { code, output } = await checkProtocolBreaks(repo)
    expect(code).not.toBe(0)
    expect(output).toContain('planted.proto')
  })

  it('is not compared in a shallow clone, in the first commit and without a repository, with a note', async () => {
    await commit('int32 amount = 1;')
    const first = await checkProtocolBreaks(repo)
    await commit('string amount = 1;')
    await git('clone', '-q', '--depth', '1', `file://${repo}`, join(folder, 'shallow'))
    const shallow = await checkProtocolBreaks(join(folder, 'shallow'))
    const none = await checkProtocolBreaks(folder)
    for (const { code, output } of [first, shallow, none]) {
      expect([code, output]).toEqual([
        0,
        expect.stringContaining('Note: nothing was compared, because there is no HEAD~1'),
      ])
    }
  })
})
