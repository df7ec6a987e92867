import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitOf, spawnNode } from '../processes/child.ts'
import { markLog, outputSince } from '../processes/log-file.ts'
import type { DemoListing } from './listings.ts'

const program = join(import.meta.dirname, 'crop-photographs.ts')

export function mainFile(folder: string, photograph: string): string {
  return join(folder, `${photograph}.jpg`)
}

export function detailFile(folder: string, photograph: string): string {
  return join(folder, `${photograph}-detail.jpg`)
}

/**
 * Calls `use` with a folder that contains the photos of these listings as JPEG files. They are cropped in a separate process,
 * because sharp's memory would stay allocated in the launcher.
 */
export async function withPhotographFiles<Result>(
  listings: readonly DemoListing[],
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'marketplace-photographs-'))
  try {
    const log = join(folder, 'crop.log')
    const mark = markLog(log)
    const args = [folder, ...listings.map(({ photograph }) => photograph)]
    const reason = await exitOf(spawnNode({ main: program, args, cwd: folder, settings: {}, log }))
    if (reason !== 'code 0') throw new Error(`The photos could not be cropped (${reason}): ${outputSince(log, mark)}`)
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
