// `npm run bench -- NAME` runs one comparison, its sides alternately in one run on one machine, and stores the result
// in bench/results; `-- all` runs every one. Arguments after the name belong to the bench: `search 100000` stops at that many listings. `npm run
// bench -- page` writes docs/performance.md from the stored results.
import { benches } from './benches.ts'
import type { Bench } from './report/bench.ts'
import { describeMachine, load } from './harness/machine.ts'
import { figureLines, goalLines } from './report/print.ts'
import { storeResult } from './report/results.ts'
import { writePage } from './report/page.ts'

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (name === 'page') await writePage(benches)
else if (name === 'all') await measureAll()
else if (bench) await measure(name, bench)
else {
  process.stderr.write(`A bench is required: ${[...Object.keys(benches), 'all', 'page'].join(', ')}\n`)
  process.exitCode = 2
}

// A missed goal is shown on the page. Only a bench that could not run to its end counts as failed.
async function measureAll(): Promise<void> {
  const failures: string[] = []
  for (const [each, comparison] of Object.entries(benches)) {
    await measure(each, comparison).catch((error: unknown) => failures.push(`${each}: ${String(error)}`))
  }
  for (const failure of failures) process.stdout.write(`${failure}\n`)
  process.stdout.write(`Benches: ${Object.keys(benches).length - failures.length} passed, ${failures.length} failed\n`)
  if (failures.length > 0) process.exitCode = 1
}

async function measure(name: string, bench: Bench): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const [machine, before] = [describeMachine(), load()]
  print(`${bench.title}\n${machine}, load ${before}`)
  const outcome = await bench.run(print, args)
  for (const line of [...figureLines(outcome.figures), ...goalLines(outcome.goals)]) print(line)
  await storeResult(name, { ...outcome, at: new Date().toISOString(), machine, load: [before, load()] })
}
