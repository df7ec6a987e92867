// `npm run bench -- NAME` runs one comparison, its sides alternately in one run on one machine, and stores the result
// in bench/results. Arguments after the name belong to the bench: `search 100000` stops at that many listings. `npm run
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
else if (bench) await measure(name, bench)
else {
  process.stderr.write(`A bench is required: ${[...Object.keys(benches), 'page'].join(', ')}\n`)
  process.exitCode = 2
}

async function measure(name: string, bench: Bench): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const [machine, before] = [describeMachine(), load()]
  print(`${bench.title}\n${machine}, load ${before}`)
  const outcome = await bench.run(print, args)
  for (const line of [...figureLines(outcome.figures), ...goalLines(outcome.goals)]) print(line)
  await storeResult(name, { ...outcome, at: new Date().toISOString(), machine, load: [before, load()] })
}
