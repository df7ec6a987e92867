import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const forged = ['a\n{"level":"fatal"}', '\u001b[31mred', 'a\r\nb\u2028c', '"},{"level":"fatal"']

// Red when a line is put together by hand: the break shows as it is.
it('S12 keeps what somebody typed within its line and its field', async () => {
  const script = `
    const { openLog } = await import(${JSON.stringify(new URL('log.ts', import.meta.url).href)})
    const log = openLog('test', 'info')
    for (const term of ${JSON.stringify(forged)}) log.info({ term }, term)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    forged.map((term) => ({ level: 'info', service: 'test', term, msg: term })),
  )
  expect(stdout).not.toContain('\u001b')
})
