// `npm run bench -- NAME`: one comparison, both sides alternately in one run on one machine.
const benches: Readonly<Record<string, () => Promise<unknown>>> = {
  bids: () => import('./bids.ts'),
}

const [name = ''] = process.argv.slice(2)
const bench = benches[name]
if (bench) await bench()
else {
  process.stderr.write(`Name one of: ${Object.keys(benches).join(', ')}\n`)
  process.exitCode = 2
}
