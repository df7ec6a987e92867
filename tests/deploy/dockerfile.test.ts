import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '@marketplace/tools/run/run.ts'

it('the Dockerfile copies the manifest of every workspace, which npm ci requires', async () => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const patterns = workspaces.map((workspace: string) => `${workspace}/package.json`)
  const manifests = globSync(patterns, { cwd: root })
  const text = await readFile(join(root, 'deploy/images/Dockerfile'), 'utf8')
  const copied = [...text.matchAll(/^COPY (\S+\/package\.json) /gm)].map((found) => found[1])
  expect(new Set(copied)).toEqual(new Set(manifests))
})
