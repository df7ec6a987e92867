// Plain JavaScript, so that any Node can say it: the sources are TypeScript, which Node runs from version 24 on.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `Marketplace needs Node 24 and found ${process.versions.node}: install Node 24 (https://nodejs.org) and try again.\n`,
  )
  process.exit(1)
}
