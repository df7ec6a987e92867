// Part of `npm run generate`: docs/settings.md from the zod schemas that the config.ts files export.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/run.ts'
import { formatTable } from './blocks.ts'
import { findSettings, importSchemas, listConfigFiles } from './find-settings.ts'

/** Returns the name of the part that a config file belongs to, such as `catalog` or `catalog: picture/worker`. */
function ownerOf(path: string): string {
  const [, service, folder] = /^services\/(\w+)\/src\/(.*)config\.ts$/.exec(path) ?? []
  if (service) return folder ? `${service}: ${folder.replace(/\/$/, '')}` : service
  return path.startsWith('web/') ? 'web' : 'every process'
}

const paths = listConfigFiles().toSorted(
  (a, b) => Number(ownerOf(b) === 'every process') - Number(ownerOf(a) === 'every process'),
)
const sections = await Promise.all(
  paths.map(async (path) => {
    const settings = findSettings(path, readFileSync(join(root, path), 'utf8'), await importSchemas(path))
    const rows = settings.map(({ name, value, meaning }) => [`\`${name}\``, value, meaning])
    const title = `${ownerOf(path)[0]?.toUpperCase()}${ownerOf(path).slice(1)}`
    return `## ${title}\n\nSource: \`${path}\`.\n\n${formatTable(['setting', 'default', 'meaning'], rows)}`
  }),
)

const text = `<!-- Written by \`npm run generate\` from the config.ts files; edit their comments. -->
# Settings

Settings are environment variables that each process reads once at start. If a setting is missing or invalid, the process exits with an error that names it.
The suffix \`_MS\` marks a duration in milliseconds.
A setting without a default is required, unless it is optional. \`README.md\` lists the settings of \`npm start\`, \`docs/operations.md\` the Secrets.

${sections.join('\n\n')}
`

writeFileSync(join(root, 'docs/settings.md'), text)
