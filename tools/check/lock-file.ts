import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root, type Finished } from '../run/run.ts'

const LockFile = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      link: z.boolean().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
    }),
  ),
})

const lockFiles = ['package-lock.json', 'tools/squawk/package-lock.json']

/** Names the packages that have no integrity hash or come from elsewhere than the public npm registry. */
export function findLockFileViolations(text: string): string[] {
  return Object.entries(LockFile.parse(JSON.parse(text)).packages)
    .filter(([name, { link }]) => name.includes('node_modules/') && !link)
    .filter(
      ([, { integrity, resolved }]) => !integrity || (resolved && !resolved.startsWith('https://registry.npmjs.org/')),
    )
    .map(([name]) => name)
}

export async function checkLockFile(): Promise<Finished> {
  const texts = await Promise.all(lockFiles.map((file) => readFile(join(root, file), 'utf8')))
  const violations = texts.flatMap(findLockFileViolations)
  return { code: violations.length > 0 ? 1 : 0, output: `No integrity or another registry: ${violations.join(', ')}` }
}
