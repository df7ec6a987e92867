import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run, type Finished } from './run.ts'
import { SCHEMAS } from './wiring.ts'

const steps: readonly (() => Promise<Finished>)[] = [
  () => run('buf', ['generate'], { cwd: 'proto' }),
  ...SCHEMAS.map((service) => () => run('node', ['dev/src/openapi.ts', service])),
  () => run('node', ['src/merge-openapi.ts'], { cwd: 'services/gateway' }),
  () => run('npm', ['run', '--silent', 'generate'], { cwd: 'web' }),
  () => run('node', ['dev/src/umbrella-values.ts']),
]

const places = ['packages/contracts/src/gen', 'services', 'web/src/api', 'deploy/helm/marketplace']

/** Writes every generated file anew; stops at the first step that fails. */
export async function regenerate(): Promise<Finished> {
  for (const step of steps) {
    const finished = await step()
    if (finished.code !== 0) return finished
  }
  return { code: 0, output: '' }
}

/** The generated files of the tree and their texts. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const files = await Promise.all(places.map(listGenerated))
  const texts = await Promise.all(
    files.flat().map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const),
  )
  return new Map(texts)
}

async function listGenerated(place: string): Promise<string[]> {
  const entries = await readdir(join(root, place), { recursive: true })
  return entries
    .map((entry) => `${place}/${entry}`)
    .filter(
      (file) =>
        !file.includes('node_modules') &&
        /(_pb\.ts|\.gen\.ts|openapi\.json|^deploy\/helm\/marketplace\/values(-production)?\.yaml)$/.test(file),
    )
}
