// Part of `npm run generate`: the tests that decide each requirement, at the end of docs/requirements.md.
import { readDecidingTests } from '../check/test-titles.ts'
import { formatTable, writeBlock } from './blocks.ts'

// Titles may carry markup and control characters of the attacks that they name.
const escape = (title: string) =>
  title.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>[\]]/g, (character) => `&#${character.codePointAt(0)};`)

const byId = new Map<string, Map<string, string[]>>()
for (const { file, title, ids, isSkipped } of readDecidingTests()) {
  if (isSkipped) continue
  for (const id of ids) {
    const files = byId.get(id) ?? new Map<string, string[]>()
    byId.set(id, files.set(file, [...(files.get(file) ?? []), escape(title)]))
  }
}

const collator = new Intl.Collator('en', { numeric: true })
const rows = [...byId]
  .toSorted(([a], [b]) => collator.compare(a, b))
  .flatMap(([id, files]) => [...files].map(([file, titles]) => [id, `\`${file}\``, titles.join('<br>')]))

await writeBlock('docs/requirements.md', 'tests', formatTable(['id', 'file', 'titles'], rows))
