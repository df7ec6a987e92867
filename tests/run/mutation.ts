// `npm run nightly -- mutation` changes the pure rules one expression at a time and runs their tests, which must notice:
// at least 90 % of the mutants of each file. `node tests/run/mutation.ts <file>…` runs it for some of the files.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Stryker } from '@stryker-mutator/core'
import { rules } from '../../vitest.rules.config.ts'

const minKilled = 0.9
const chosen = process.argv.slice(2)
let passed = 0
let failed = 0

for (const file of Object.keys(rules).filter((rule) => chosen.length === 0 || chosen.includes(rule))) {
  // vitest.rules.config.ts reads it in the processes that run the tests.
  process.env['MUTATED_RULE'] = file
  const mutants = await new Stryker({
    mutate: [file],
    testRunner: 'vitest',
    plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
    vitest: { configFile: 'vitest.rules.config.ts', related: false },
    // Type checks are those of `npm run check`; the preprocessor of tsconfig.json needs TypeScript 5.
    tsconfigFile: 'none.json',
    tempDirName: join(tmpdir(), 'marketplace-mutants'),
    // Texts of errors and logs are checked by the tests of the routes.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['/bench', '/deploy', '/docs', '/load', '/ops', '/providers', '/stack', '/tests', '/tools', '/web'],
    reporters: [],
    concurrency: 1,
  }).runMutationTest()
  const isKilled = ({ status }: (typeof mutants)[number]) => status === 'Killed' || status === 'Timeout'
  // The others are excluded, or do not run at all.
  const valid = mutants.filter((mutant) => isKilled(mutant) || ['Survived', 'NoCoverage'].includes(mutant.status))
  const killed = valid.filter(isKilled).length
  const isGood = valid.length > 0 && killed >= minKilled * valid.length
  process.stdout.write(`${isGood ? 'ok  ' : 'FAIL'} ${file}: ${killed} of ${valid.length} mutants killed\n`)
  for (const { status, location, replacement } of valid.filter((mutant) => !isKilled(mutant)))
    process.stdout.write(`       ${status} at ${location.start.line}:${location.start.column}: ${replacement ?? ''}\n`)
  if (isGood) passed += 1
  else failed += 1
}
process.stdout.write(`Mutation: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
