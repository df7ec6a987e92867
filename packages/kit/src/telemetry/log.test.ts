import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const forged = ['a\n{"level":"fatal"}', '\u001b[31mred', 'a\r\nb\u2028c', '"},{"level":"fatal"']

async function linesOf(script: string): Promise<{ stdout: string; lines: unknown[] }> {
  const open = `
    const { openLog } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
    const { trace } = await import(${JSON.stringify(new URL('./trace.ts', import.meta.url).href)})
    const log = openLog('test', 'info')\n`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', open + script])
  const lines = stdout.trimEnd().split('\n')
  return { stdout, lines: lines.map((line) => JSON.parse(line)) }
}

// This test fails if a line is built by string concatenation: the line break would not be escaped.
it('S12 escapes user input within its log line and field', async () => {
  const { stdout, lines } = await linesOf(`for (const term of ${JSON.stringify(forged)}) log.info({ term }, term)`)
  expect(lines).toMatchObject(forged.map((term) => ({ level: 'info', service: 'test', term, msg: term })))
  expect(stdout).not.toContain('\u001b')
})

it('adds the ids of the request to each line, without fields of earlier lines', async () => {
  const ids = { requestId: 'r-1', traceparent: '00-1-1-01' }
  const { lines } = await linesOf(`
    trace.run(${JSON.stringify(ids)}, () => {
      log.warn({ listingId: 'l-1' }, 'first')
      log.info({ requestId: 'r-2' }, 'second')
      log.info('third')
    })`)
  const common = { level: 'info', service: 'test', time: expect.any(String), ...ids }
  expect(lines).toEqual([
    { ...common, level: 'warn', listingId: 'l-1', msg: 'first' },
    { ...common, requestId: 'r-2', msg: 'second' },
    { ...common, msg: 'third' },
  ])
})
