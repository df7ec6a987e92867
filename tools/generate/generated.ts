import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run, type Finished } from '../run/run.ts'
import { schemas } from '@marketplace/contracts/services.ts'

const steps: readonly (() => Promise<Finished>)[] = [
  () => run('buf', ['generate'], { cwd: 'proto' }),
  ...schemas.map((service) => () => run('node', ['tools/generate/openapi.ts', service])),
  () => run('node', ['src/merge-openapi.ts'], { cwd: 'services/gateway' }),
  () => run('npm', ['run', '--silent', 'generate'], { cwd: 'web' }),
  () => run('node', ['tools/generate/umbrella-values.ts']),
  () => run('node', ['tools/generate/credits.ts']),
  () => run('node', ['tools/generate/requirements.ts']),
  () => run('node', ['tools/generate/architecture.ts']),
  () => run('node', ['tools/generate/settings.ts']),
]

const folders = ['packages/contracts/src/gen', 'services', 'web/src/api', 'deploy/helm/marketplace']
const pages = [
  'CREDITS.md',
  'docs/requirements.md',
  'docs/architecture/overview.md',
  'docs/architecture/events.md',
  'docs/settings.md',
]

/** Writes every generated file; stops at the first step that fails. */
export async function regenerate(): Promise<Finished> {
  for (const step of steps) {
    const finished = await step()
    if (finished.code !== 0) return finished
  }
  return { code: 0, output: '' }
}

/** Returns the generated files of the repository and their content. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const files = await Promise.all(folders.map(listGenerated))
  const texts = await Promise.all(
    [...files.flat(), ...pages].map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const),
  )
  return new Map(texts)
}

async function listGenerated(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true })
  return entries
    .map((entry) => `${folder}/${entry}`)
    .filter(
      (file) =>
        !file.includes('node_modules') &&
        /(_pb\.ts|\.gen\.ts|openapi\.json|^deploy\/helm\/marketplace\/values(-production)?\.yaml)$/.test(file),
    )
}
