import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { hashSources } from './web-build.ts'

it.each([
  ['changes with the fee, which the pages import', 'packages/contracts/src/fee.ts', true],
  ['changes with a page', 'web/src/app/pages.tsx', true],
  ['does not change with generated messages', 'packages/contracts/src/gen/sales_pb.ts', false],
])('the hash of the sources %s', (_what, changed, isPartOfPages) => {
  const clone = mkdtempSync(join(tmpdir(), 'marketplace-web-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const write = (text: string) => {
    mkdirSync(dirname(join(clone, changed)), { recursive: true })
    writeFileSync(join(clone, changed), text)
  }
  mkdirSync(join(clone, 'web'))
  write('5 %')
  const before = hashSources(join(clone, 'web'))
  write('6 %')
  expect(hashSources(join(clone, 'web')) !== before).toBe(isPartOfPages)
})
