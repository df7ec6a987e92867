// Part of `npm run generate`: docs/settings.md from the zod schemas in the config.ts files.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/run.ts'
import { formatTable } from './blocks.ts'
import { findSettings, readConstants } from './find-settings.ts'

const configs = [
  'packages/kit/src/config/config.ts',
  'web/server/config.ts',
  ...globSync('services/*/src/**/config.ts', { cwd: root }),
]
const constantFiles = ['packages/kit/src/config/retention.ts']

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const paths = configs.map((path) => path.replaceAll('\\', '/')).toSorted()
const constants = readConstants([...constantFiles, ...paths].map(read))

/** Returns the name of the part that a config file belongs to, such as `catalog` or `catalog: picture/worker`. */
function ownerOf(path: string): string {
  const [, service, folder] = /^services\/(\w+)\/src\/(.*)config\.ts$/.exec(path) ?? []
  if (service) return folder ? `${service}: ${folder.replace(/\/$/, '')}` : service
  return path.startsWith('web/') ? 'web' : 'every process'
}

const sections = paths
  .toSorted((a, b) => Number(ownerOf(b) === 'every process') - Number(ownerOf(a) === 'every process'))
  .map((path) => {
    const rows = findSettings(path, read(path), constants).map(({ name, value, meaning }) => [
      `\`${name}\``,
      value,
      meaning,
    ])
    return `## ${ownerOf(path)[0]?.toUpperCase()}${ownerOf(path).slice(1)}\n\nSource: \`${path}\`.\n\n${formatTable(['setting', 'default', 'meaning'], rows)}`
  })

const text = `<!-- Written by \`npm run generate\` from the config.ts files; edit their comments. -->
# Settings

Settings are environment variables that each process reads once at start. If a setting is missing or invalid, the process exits with an error that names it.
The suffix \`_MS\` marks a duration in milliseconds.
A setting without a default is required, unless it is optional. \`README.md\` lists the settings of \`npm start\`, \`docs/operations.md\` the Secrets.

${sections.join('\n\n')}
`

writeFileSync(join(root, 'docs/settings.md'), text)
