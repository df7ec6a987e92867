// `npm run bench -- NAME`: one comparison, its sides alternately in one run on one machine, kept in bench/results.
// What stands behind the name is the bench's own: `search 100000` stops at so many listings.
// `npm run bench -- page`: docs/performance.md from what is kept.
import { benches } from './benches.ts'
import type { Bench } from './frame/bench.ts'
import { describeMachine, load } from './frame/machine.ts'
import { figureLines, goalLines } from './frame/print.ts'
import { keepResult } from './frame/results.ts'
import { writePage } from './page.ts'

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (name === 'page') await writePage(benches)
else if (bench) await measure(name, bench)
else {
  process.stderr.write(`Name one of: ${[...Object.keys(benches), 'page'].join(', ')}\n`)
  process.exitCode = 2
}

async function measure(name: string, bench: Bench): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const [machine, before] = [describeMachine(), load()]
  print(`${bench.title}\n${machine}, load ${before}`)
  const outcome = await bench.run(print, args)
  for (const line of [...figureLines(outcome.figures), ...goalLines(outcome.goals)]) print(line)
  await keepResult(name, { ...outcome, at: new Date().toISOString(), machine, load: [before, load()] })
}
