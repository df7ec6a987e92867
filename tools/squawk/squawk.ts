import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root, run, type Finished } from '../run/run.ts'

const folder = import.meta.dirname
const installed = join(folder, 'node_modules/squawk-cli')

const Manifest = z.object({ devDependencies: z.object({ 'squawk-cli': z.string() }) })
const Installed = z.object({ version: z.string() })

/** Runs squawk of tools/squawk, which is installed on the first run, with the settings of .squawk.toml. */
export async function runSquawk(args: readonly string[]): Promise<Finished> {
  if (!(await isInstalled())) {
    const installation = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    if (installation.code !== 0) return installation
  }
  return run(process.execPath, [join(installed, 'js/bin/squawk'), '--config', join(root, '.squawk.toml'), ...args])
}

async function isInstalled(): Promise<boolean> {
  if (!existsSync(installed)) return false
  const pinned = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')))
  const { version } = Installed.parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')))
  return version === pinned.devDependencies['squawk-cli']
}
