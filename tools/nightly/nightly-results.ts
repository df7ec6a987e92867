import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

export type NightlyCommand = readonly [command: string, args: readonly string[]]

/** The suites that take too long for CI, with the command of each. */
export const nightlySuites: Readonly<Record<string, NightlyCommand>> = {
  faults: ['node', ['tests/run/test-faults.ts']],
  chaos: ['node', ['tests/run/chaos.ts']],
  // Includes two versions side by side.
  cluster: ['node', ['tests/run/cluster-test.ts']],
  // Needs Python and pip.
  openapi: ['node', ['tests/run/test-openapi.ts']],
  mutation: ['node', ['tests/run/mutation.ts']],
  // Needs the Debian packages firefox-esr, webkit2gtk-driver and xvfb.
  browsers: ['node', ['tests/run/test-browsers.ts']],
  lighthouse: ['node', ['tests/run/lighthouse.ts']],
  bench: ['node', ['bench/main.ts', 'all']],
}

const Result = z.object({
  commit: z.string(),
  /** UTC. */
  date: z.iso.datetime(),
  minutes: z.number(),
  passed: z.number(),
  failed: z.number(),
})

export type NightlyResult = z.infer<typeof Result>
export type NightlyResults = Readonly<Record<string, NightlyResult>>

const file = 'tests/nightly.json'
/** Commits after which a result is reported as old. */
const oldAfterCommits = 100

export function readNightlyResults(): NightlyResults {
  return z.record(z.string(), Result).parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Replaces the result of one suite. */
export function writeNightlyResult(suite: string, result: NightlyResult): void {
  const results = { ...readNightlyResults(), [suite]: result }
  const sorted = Object.fromEntries(Object.entries(results).toSorted(([one], [other]) => one.localeCompare(other)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** Counts the commits since a result. Returns undefined in a clone without that commit. */
export function commitsSince(commit: string): number | undefined {
  try {
    return Number(
      execFileSync('git', ['rev-list', '--count', `${commit}..HEAD`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  } catch {
    return undefined
  }
}

export interface Verdict {
  isMissing: boolean
  isGood: boolean
  line: string
}

/** Judges the result of each suite: a missing or failed one is not good, an old one is reported. */
export function judge(
  suites: readonly string[],
  results: NightlyResults,
  ageOf: (commit: string) => number | undefined,
): Verdict[] {
  return suites.map((suite) => {
    const result = results[suite]
    if (result === undefined) return { isGood: false, isMissing: true, line: `MISSING ${suite}: it has never run` }
    const { commit, date, minutes, passed, failed } = result
    const isGood = failed === 0 && passed > 0
    const age = ageOf(commit)
    const old = age !== undefined && age > oldAfterCommits ? `, OLD: ${age} commits ago` : ''
    const counts = `${passed} passed, ${failed} failed`
    return {
      isGood,
      isMissing: false,
      line: `${isGood ? 'ok  ' : 'FAIL'} ${suite}: ${counts} in ${minutes} min on ${date.slice(0, 10)} at ${commit.slice(0, 7)}${old}`,
    }
  })
}
