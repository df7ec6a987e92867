// `npm run load -- SCENARIO [--base URL | --real]`: people and listings, the load, and a look at the records.
import { readOptions, scenarios, type Options } from './options.ts'
import { runK6 } from './run-k6.ts'
import { seed } from './seed.ts'
import { givenTarget, startTarget } from './target.ts'

const options = readOptions(process.argv.slice(2))
if (options) process.exitCode = (await run(options)) ? 0 : 1
else {
  process.stderr.write(`Name one of: ${Object.keys(scenarios).join(', ')}; and if wanted --base URL or --real.\n`)
  process.exitCode = 2
}

async function run({ scenario, needs, base, isReal }: Options): Promise<boolean> {
  const target = base === undefined ? await startTarget(isReal) : givenTarget(base)
  try {
    const seeded = await seed(target.url, needs)
    process.stdout.write(
      `  ${seeded.people.length} people, ${seeded.listings.length + seeded.auctions.length} listings\n`,
    )
    const hasPassed = await runK6(scenario, target.url, seeded)
    return (await target.verify()) && hasPassed
  } finally {
    await target.stop()
  }
}
