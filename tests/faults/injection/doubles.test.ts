import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defects } from './defects.ts'
import { realModuleOf } from './doubles/real-module.ts'
import { root, run } from '@marketplace/tools/run/run.ts'

const folder = join(import.meta.dirname, 'doubles')
const files = globSync('*/*.ts', { cwd: folder }).map((file) => file.replace(/\.ts$/, ''))

/** Returns the output of a process that runs this code with these doubles. */
async function printed(doubles: string, code: string): Promise<string> {
  const args = ['--import', './tests/faults/injection/doubles.ts', '--input-type=module', '--eval', code]
  const { output } = await run('node', args, { env: { DOUBLES: doubles } })
  return output.trim()
}

describe('module doubles', () => {
  const feeOf70Cents = "import { feeOf } from '@marketplace/contracts/fee.ts'; console.log(feeOf(70, 500))"

  it('replace the module only where DOUBLES lists them', async () => {
    expect(await printed('', feeOf70Cents)).toBe('4')
    expect(await printed('contracts/fee-in-floats', feeOf70Cents)).toBe('3')
  })

  it('replace the module however it is imported', async () => {
    const relative = feeOf70Cents.replace('@marketplace/contracts', join(root, 'packages/contracts/src'))
    expect(await printed('contracts/fee-in-floats', relative)).toBe('3')
  })

  it('fail the process when two replace one module, or when one does not exist', async () => {
    const both = 'services/bid-at-own-clock,services/bid-at-transaction-start'
    expect(await printed(both, '')).toContain('bid-at-transaction-start and another double replace')
    expect(await printed('kit/none', '')).toContain('ENOENT')
  })

  it.each(files)('%s replaces what it declares, adds nothing, and passes on the rest', async (name) => {
    const file = join(folder, `${name}.ts`)
    const exports = readFileSync(file, 'utf8').matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)
    const declared = [...exports].flatMap(([, name = '']) => name)
    const real: Record<string, unknown> = { ...(await import(realModuleOf(file))) }
    const double: Record<string, unknown> = { ...(await import(file)) }
    expect(Object.keys(double).toSorted()).toEqual(Object.keys(real).toSorted())
    const replaced = Object.keys(double).filter((key) => double[key] !== real[key])
    expect(replaced.toSorted()).toEqual(declared.toSorted())
  })

  it('each belong to a defect or to the next version', () => {
    const named = Object.values(defects).flat()
    const next = files.filter((name) => name.startsWith('next-version/'))
    expect([...named, ...next].toSorted()).toEqual(files.toSorted())
  })
})
