// Part of `npm run generate`: docs/settings.md from the zod schemas that the config files export.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/run.ts'
import { formatTable } from './blocks.ts'
import { findSettings, importSchemas, listConfigFiles, type SettingGroup } from './find-settings.ts'

/** Returns the name of the part that a config file belongs to, such as `catalog` or `catalog: picture/worker`. */
function ownerOf(path: string): string {
  const [, service, folder] = /^services\/(\w+)\/src\/(.*)config\.ts$/.exec(path) ?? []
  if (service) return folder ? `${service}: ${folder.replace(/\/$/, '')}` : service
  if (path.startsWith('ops/')) return 'ops commands'
  return path.startsWith('web/') ? 'web' : 'shared'
}

function formatGroup({ scope, settings }: SettingGroup): string {
  const rows = settings.map(({ name, value, meaning }) => [`\`${name}\``, value, meaning])
  const table = formatTable(['setting', 'default', 'meaning'], rows)
  return scope === '' ? table : `${scope}\n\n${table}`
}

// The shared settings come first, those of the ops commands last.
const ranks: Readonly<Record<string, number>> = { shared: 0, 'ops commands': 2 }
const rankOf = (path: string) => ranks[ownerOf(path)] ?? 1
const paths = listConfigFiles().toSorted((a, b) => rankOf(a) - rankOf(b))
const sections = await Promise.all(
  paths.map(async (path) => {
    const groups = findSettings(path, readFileSync(join(root, path), 'utf8'), await importSchemas(path))
    const title = `${ownerOf(path)[0]?.toUpperCase()}${ownerOf(path).slice(1)}`
    return `## ${title}\n\nSource: \`${path}\`.\n\n${groups.map(formatGroup).join('\n\n')}`
  }),
)

const text = `<!-- Written by \`npm run generate\` from the config files; edit their comments. -->
# Settings

Settings are environment variables that each process reads once at start. If a setting is missing or invalid, the process exits with an error that names it.
The suffix \`_MS\` marks a duration in milliseconds.
A setting without a default is required, unless it is optional. The section of a process lists its own settings; the first section says which of the shared
ones it also reads. \`README.md\` lists the settings of \`npm start\`, \`docs/operations.md\` the Secrets.

${sections.join('\n\n')}
`

writeFileSync(join(root, 'docs/settings.md'), text)
