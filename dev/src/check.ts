// `npm run check`: everything that can be said about the tree without running it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { faultsOfCompose, readCompose } from './compose.ts'
import { generatedFiles, regenerate } from './generated.ts'
import { checkProtocolBreaks } from './protocol-breaks.ts'
import { root, run, type Finished } from './run.ts'

const cruise = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'json',
  'packages',
  'services',
  'web',
  'dev',
  'e2e',
]

const checks: Record<string, () => Promise<Finished>> = {
  types: () => run('tsc', ['-p', 'tsconfig.json']),
  'types of the pages': () => run('tsc', ['-p', 'web/tsconfig.json']),
  lint: () => run('oxlint', ['--type-aware']),
  format: () => run('oxfmt', ['--check', '.']),
  'unused code': () => run('knip', []),
  'import direction': checkImports,
  'import direction fails on a planted import': checkPlantedImport,
  protocol: () => run('buf', ['lint'], { cwd: 'proto' }),
  'protocol against the commit before': () => checkProtocolBreaks(),
  'generated files': checkGenerated,
  'lock file': checkLockFile,
  'compose file': checkCompose,
}

async function checkImports(): Promise<Finished> {
  const { output, seen, violations } = await cruiseImports()
  // Without a parser that it likes the cruiser reads nothing and says all is well.
  if (seen < 100) return { code: 1, output: `Only ${seen} modules were seen.` }
  return {
    code: violations.length > 0 ? 1 : 0,
    output: violations.length > 0 ? violations.join('\n') : output.slice(0, 0),
  }
}

async function checkPlantedImport(): Promise<Finished> {
  const folder = join(root, 'services/catalog/src/planted')
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(join(folder, 'planted.ts'), "import '../../../auction/src/config.ts'\n")
    const { violations } = await cruiseImports()
    const isFound = violations.some((violation) =>
      violation.startsWith('services-stand-alone services/catalog/src/planted'),
    )
    return { code: isFound ? 0 : 1, output: 'A catalog file that imports auction was not noticed.' }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function cruiseImports(): Promise<{ output: string; seen: number; violations: string[] }> {
  const { output } = await run('depcruise', cruise)
  const report = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  const violations: string[] = report.summary.violations.map(
    (violation: { rule: { name: string }; from: string; to: string }) =>
      `${violation.rule.name} ${violation.from} → ${violation.to}`,
  )
  return { output, seen: report.summary.totalCruised, violations }
}

async function checkGenerated(): Promise<Finished> {
  const before = await generatedFiles()
  const regenerated = await regenerate()
  if (regenerated.code !== 0) return regenerated
  const after = await generatedFiles()
  const names = new Set([...before.keys(), ...after.keys()])
  const stale = [...names].filter((name) => before.get(name) !== after.get(name))
  return { code: stale.length > 0 ? 1 : 0, output: `Regenerated otherwise: ${stale.join(', ')}` }
}

async function checkLockFile(): Promise<Finished> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const wrong = Object.entries<{ link?: boolean; integrity?: string; resolved?: string }>(lock.packages)
    .filter(([name]) => name.includes('node_modules/'))
    .filter(
      ([, entry]) =>
        !entry.link &&
        (!entry.integrity || (entry.resolved && !entry.resolved.startsWith('https://registry.npmjs.org/'))),
    )
    .map(([name]) => name)
  return { code: wrong.length > 0 ? 1 : 0, output: `No integrity or another address: ${wrong.join(', ')}` }
}

async function checkCompose(): Promise<Finished> {
  const faults = faultsOfCompose(await readCompose())
  return { code: faults.length > 0 ? 1 : 0, output: faults.join('\n') }
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  const startedAt = performance.now()
  const { code, output } = await check()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`)
  if (code === 0 && output.startsWith('Note:')) process.stdout.write(`     ${output.trim()}\n`)
  if (code === 0) continue
  failed += 1
  process.stdout.write(`${output.trim()}\n`)
}
process.stdout.write(`Checks: ${Object.keys(checks).length - failed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
