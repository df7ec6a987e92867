// Preloaded by the tests of the invariant checker (`node --import`): PLANTED_BUGS names mistakes, separated by
// semicolons, that are put into the source text as it is loaded. A text that is no longer there ends the process.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs, isBug, plant, type Patch } from './failpoints-bugs.ts'

const root = join(import.meta.dirname, '../..')

function patchesOf(name: string): readonly Patch[] {
  if (!isBug(name)) throw new Error(`There is no bug “${name}” to plant.`)
  return bugs[name]
}

function decode(source: ArrayBuffer | NodeJS.TypedArray | undefined): string {
  return new TextDecoder().decode(source)
}

const patches = (process.env['PLANTED_BUGS'] ?? '')
  .split(';')
  .filter((name) => name !== '')
  .flatMap(patchesOf)
const patchesByUrl = Map.groupBy(patches, ({ file }) => pathToFileURL(join(root, file)).href)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const mine = patchesByUrl.get(url)
    if (!mine) return loaded
    const { source } = loaded
    return { ...loaded, source: mine.reduce(plant, typeof source === 'string' ? source : decode(source)) }
  },
})
