import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root, type Finished } from '../run/run.ts'
import { listTrackedFiles } from './tracked-files.ts'

const link = /\[[^\]]*\]\(([^)\s]+)\)/g
const quoted = /`([\w.@/-]+\/[\w.@/-]*)`/g
const isExternal = (target: string) => /^([a-z]+:|#|\/)/.test(target)
// ADRs are history, and the glossary names files that are gone.
const mayNameFormerPaths = /^docs\/(adr\/|glossary\.md)/

/** Returns whether a path from the root is a file or a folder of the repository. */
export function createPathLookup(paths: readonly string[]): (path: string) => boolean {
  const known = new Set(paths)
  for (const path of paths) for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) known.add(folder)
  return (path) => known.has(path)
}

/** Names the relative links and the quoted paths of a Markdown file that do not exist. */
export function findBrokenPaths(file: string, text: string, exists: (path: string) => boolean): string[] {
  const targets = [...text.matchAll(link)].map(([, target = '']) => target).filter((target) => !isExternal(target))
  const links = targets.filter((target) => !exists(resolvePath(file, target.replace(/[#?].*$/, ''))))
  const paths = mayNameFormerPaths.test(file) ? [] : findBrokenQuotes(file, text, exists)
  return [...links.map((target) => `${file}: the link to ${target} leads nowhere.`), ...paths]
}

/** Names the paths in backticks that do not exist, from the root or from the file's folder. */
export function findBrokenQuotes(file: string, text: string, exists: (path: string) => boolean): string[] {
  return [...text.matchAll(quoted)]
    .map(([, path = '']) => path.replace(/\/$/, ''))
    .filter((path) => exists(path.split('/')[0] ?? '') && !/(^|\/)(dist|node_modules)(\/|$)/.test(path))
    .filter((path) => !exists(path) && !exists(resolvePath(file, path)))
    .map((path) => `${file}: ${path} does not exist.`)
}

const resolvePath = (file: string, target: string) => normalize(join(dirname(file), target)).replace(/\/$/, '')

export async function checkPaths(): Promise<Finished> {
  const files = listTrackedFiles()
  const exists = createPathLookup(files)
  const found = await Promise.all(
    files.map(async (file) => {
      if (file.endsWith('.md')) return findBrokenPaths(file, await readFile(join(root, file), 'utf8'), exists)
      if (!/\.tsx?$/.test(file) || /\.gen\.|\/gen\/|^tools\/check\//.test(file)) return []
      const { comments } = parseSync(file, await readFile(join(root, file), 'utf8'))
      return comments.flatMap(({ value }) => findBrokenQuotes(file, value, exists))
    }),
  )
  return { code: found.flat().length > 0 ? 1 : 0, output: found.flat().join('\n') }
}
