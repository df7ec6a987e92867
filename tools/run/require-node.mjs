// Plain JavaScript, so that every Node version can run it: the sources are TypeScript, which needs Node 24.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Marketplace needs Node 24 and found ${process.versions.node}: install Node 24 (https://nodejs.org) and try again.\n`,
  )
  process.exit(1)
}
