// `npm run check` runs every static check of the repository.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBannedTerms } from './banned-terms.ts'
import { composeViolations, readCompose } from './compose.ts'
import { generatedFiles, regenerate } from '../generate/generated.ts'
import { checkFeeTexts } from './fee-texts.ts'
import { checkLockFile } from './lock-file.ts'
import { checkPaths } from './links.ts'
import { checkProtocolBreaks } from './protocol-breaks.ts'
import { checkRequirements } from './requirements.ts'
import { checkStructure } from './structure.ts'
import { root, run, type Finished } from '../run/run.ts'
import { checkMigrations, checkInjectedMigrations } from './migrations.ts'
import { checkExtract, checkRequests } from '@marketplace/card-network/stripe-api/checks.ts'
import { checkPlantedWorkflow, checkWorkflows } from './workflows.ts'

const cruise = [
  '--config',
  '.dependency-cruiser.cjs',
  '--output-type',
  'json',
  'packages',
  'services',
  'web',
  'ops',
  'providers',
  'stack',
  'tools',
  'tests',
  'load',
  'bench',
]

const checks: Record<string, () => Promise<Finished>> = {
  types: () => run('tsc', ['-p', 'tsconfig.json']),
  'types of the pages': () => run('tsc', ['-p', 'web/tsconfig.json']),
  lint: () => run('oxlint', ['--type-aware']),
  format: () => run('oxfmt', ['--check', '.']),
  'unused code': () => run('knip', []),
  'import direction': checkImports,
  'import direction fails on planted imports': checkPlantedImports,
  protocol: () => run('buf', ['lint'], { cwd: 'proto' }),
  'protocol against the commit before': () => checkProtocolBreaks(),
  'generated files': checkGenerated,
  'requests to Stripe': async () => checkRequests(),
  'extract of Stripe’s API': checkExtract,
  'texts on the fee': checkFeeTexts,
  migrations: checkMigrations,
  'migrations fail on injected statements': checkInjectedMigrations,
  'lock file': checkLockFile,
  'compose file': checkCompose,
  requirements: checkRequirements,
  glossary: checkBannedTerms,
  'files per folder and lengths of documents': checkStructure,
  'links and paths': checkPaths,
  workflows: () => checkWorkflows(),
  'workflows fail on a planted mistake': checkPlantedWorkflow,
}

async function checkImports(): Promise<Finished> {
  const { output, seen, violations } = await cruiseImports()
  // The cruiser reports success when it has no parser for TypeScript, and reads nothing.
  if (seen < 100) return { code: 1, output: `Only ${seen} modules were seen.` }
  return {
    code: violations.length > 0 ? 1 : 0,
    output: violations.length > 0 ? violations.join('\n') : output.slice(0, 0),
  }
}

// One violation of each rule that a change breaks easily: file, import and rule.
const plantedImports = [
  ['services/catalog/src/planted.ts', '../../auction/src/config.ts', 'services-stand-alone'],
  [
    'services/catalog/src/listing/planted.ts',
    '../picture/processing/create-processing.ts',
    'picture-processing-in-its-process',
  ],
  ['services/auction/src/sale/planted.ts', '../bid/optimistic/auction-snapshots.ts', 'optimistic-path-removable'],
  ['web/src/planted.ts', '@marketplace/contracts/topics.ts', 'web-alone'],
  ['web/src/features/home/planted.ts', '../listing/BackLink.tsx', 'features-apart'],
] as const

async function checkPlantedImports(): Promise<Finished> {
  try {
    for (const [file, imported] of plantedImports) await writeFile(join(root, file), `import '${imported}'\n`)
    const { violations } = await cruiseImports()
    const missed = plantedImports.filter(
      ([file, , rule]) => !violations.some((found) => found.startsWith(`${rule} ${file}`)),
    )
    return {
      code: missed.length > 0 ? 1 : 0,
      output: missed.map(([file, , rule]) => `${rule} missed ${file}.`).join('\n'),
    }
  } finally {
    for (const [file] of plantedImports) await rm(join(root, file), { force: true })
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
  return { code: stale.length > 0 ? 1 : 0, output: `Stale generated files: ${stale.join(', ')}` }
}

async function checkCompose(): Promise<Finished> {
  const violations = composeViolations(await readCompose())
  return { code: violations.length > 0 ? 1 : 0, output: violations.join('\n') }
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
