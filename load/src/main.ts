// `npm run load -- SCENARIO [--base URL | [--real] [--production]]` creates users and listings, runs the load, and checks the
// invariants.
import { readOptions, scenarios, type Options } from './options.ts'
import { runK6 } from './run-k6.ts'
import { ofNewMembers, seed } from './seed.ts'
import { externalTarget, startTarget } from './target.ts'

const options = readOptions(process.argv.slice(2))
if (options) process.exitCode = (await run(options)) ? 0 : 1
else {
  process.stderr.write(
    `A scenario is required: ${Object.keys(scenarios).join(', ')}; optionally --base URL, --real or --production.\n`,
  )
  process.exitCode = 2
}

async function run({ scenario, needs, base, isReal, isProduction }: Options): Promise<boolean> {
  const target = base === undefined ? await startTarget({ isReal, isProduction }) : externalTarget(base)
  try {
    const seeded = await seed(target.url, isProduction ? ofNewMembers(needs) : needs)
    process.stdout.write(
      `  ${seeded.people.length} people, ${seeded.listings.length + seeded.auctions.length} listings\n`,
    )
    const hasPassed = await runK6({ scenario, base: target.url, seed: seeded, slowdown: needs.slowdown })
    return (await target.verify()) && hasPassed
  } finally {
    await target.stop()
  }
}
