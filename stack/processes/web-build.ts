import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../launcher/start-error.ts'
import { exitOf, spawnNode } from './child.ts'
import { markLog, outputSince } from './log-file.ts'

const web = join(import.meta.dirname, '../../web')
const sources = [
  'src/**/*',
  'public/**/*',
  'build/**/*',
  'server/chunks.ts',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../package-lock.json',
  // The pages import the fee and the bounds of cards.
  '../packages/contracts/src/*.ts',
]

/** Builds the pages unless web/dist was built from the same sources. */
export async function buildWeb(logDir: string): Promise<'built' | 'unchanged'> {
  const stamp = join(web, '.cache/dist.sha256')
  const hash = hashSources(web)
  if (existsSync(join(web, 'dist/index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return 'unchanged'
  await build(logDir)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  return 'built'
}

/** Returns a hash of everything that the pages in the folder `web` of a clone are built from. */
export function hashSources(folder: string): string {
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: folder }).toSorted()) {
    const path = join(folder, file)
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

// Built into a separate folder and renamed: two stacks may start from one clone while one serves the old build.
async function build(logDir: string): Promise<void> {
  const log = join(logDir, 'web-build.log')
  const mark = markLog(log)
  const fresh = join(web, `.cache/dist-${process.pid}`)
  const vite = join(dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  const args = ['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
  const reason = await exitOf(spawnNode({ main: vite, args, cwd: web, settings: { NODE_ENV: 'production' }, log }))
  if (reason !== 'code 0') throw new StartError(`The pages could not be built (${reason}): ${outputSince(log, mark)}`)
  rmSync(join(web, 'dist'), { recursive: true, force: true })
  renameSync(fresh, join(web, 'dist'))
}
