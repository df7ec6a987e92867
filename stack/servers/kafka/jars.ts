import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '@marketplace/tools/run/run.ts'
import { StartError } from '../../launcher/start-error.ts'

const cache = join(root, '.cache/kafka')
const pom = join(root, 'stack/servers/kafka/pom.xml')

/** Returns the folder of the broker's jars, downloaded by Maven once per version. */
export async function fetchJars(): Promise<string> {
  const version = createHash('sha256')
    .update(await readFile(pom))
    .digest('hex')
    .slice(0, 12)
  const folder = join(cache, version)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const coming = await mkdtemp(join(cache, 'coming-'))
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${coming}`, '-DincludeScope=runtime']
  const { code, output } = await run('mvn', ['-q', '-B', '-f', pom, ...copy])
  if (code !== 0) throw new StartError(`Maven could not fetch Kafka: ${output.trim().split('\n').at(-1)}`)
  // Another process may have finished first. A folder under its final name is complete.
  await rename(coming, folder).catch(() => rm(coming, { recursive: true, force: true }))
  return folder
}
