import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitOf, spawnNode } from '../processes/child.ts'
import { markLog, outputSince } from '../processes/log-file.ts'
import { readListings, type DemoListing } from './listings.ts'

interface Folders {
  readonly dataDir: string
  readonly logDir: string
  readonly listings?: readonly DemoListing[]
}

const program = join(import.meta.dirname, 'demo-pictures.ts')

/** Returns the path of a listing's picture: the larger of its two files (web/src/rules/pictures.ts). */
export function picturePath({ photograph }: DemoListing): string {
  return `/demo-pictures/${photograph}/1600.webp`
}

/**
 * Creates the WebP files of all photographs unless an earlier start created the same ones. Runs in a separate process,
 * because sharp's memory would stay allocated in the launcher.
 */
export async function makePictures({ dataDir, logDir, listings = readListings() }: Folders): Promise<void> {
  const folder = join(dataDir, 'pictures')
  const stamp = join(folder, 'recipe.sha256')
  const hash = hashRecipe(listings)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  const log = join(logDir, 'demo-pictures.log')
  const mark = markLog(log)
  const args = [folder, ...listings.map(({ photograph }) => photograph)]
  const reason = await exitOf(spawnNode({ main: program, args, cwd: dataDir, settings: {}, log }))
  if (reason !== 'code 0') throw new Error(`The pictures could not be made (${reason}): ${outputSince(log, mark)}`)
  writeFileSync(stamp, hash)
}

function hashRecipe(listings: readonly DemoListing[]): string {
  const photographs = listings.map(({ photograph, rows }) => [photograph, rows])
  return createHash('sha256').update(readFileSync(program)).update(JSON.stringify(photographs)).digest('hex')
}
