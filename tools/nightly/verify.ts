// Prints the committed result of each nightly suite; exits with 1 when one has failures, or is missing and not allowed
// to be with `--allow-missing`.
import { commitsSince, judge, nightlySuites, readNightlyResults } from './nightly-results.ts'

const verdicts = judge(Object.keys(nightlySuites), readNightlyResults(), commitsSince)
for (const { line } of verdicts) process.stdout.write(`${line}\n`)
const missing = verdicts.filter(({ isMissing }) => isMissing).length
const passed = verdicts.filter(({ isGood }) => isGood).length
const failed = verdicts.length - passed - (process.argv.includes('--allow-missing') ? missing : 0)
process.stdout.write(`Nightly: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0
