// The programs that check the charts, in the cluster's folder of binaries; `prepareTools` builds the missing ones.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { run, type Finished } from '@marketplace/tools/run/run.ts'
import { StartError } from '@marketplace/stack/launcher/start-error.ts'

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
/** The folder of the cluster's binaries, images and state. The scripts of deploy/cluster use the same rule. */
export const clusterHome = process.env['CLUSTER_HOME'] ?? join(cache, 'marketplace-cluster')
const bin = join(clusterHome, 'bin')
const schemas = join(clusterHome, 'schemas')

// oxlint-disable-next-line typescript/no-explicit-any -- a manifest has as many shapes as Kubernetes has kinds
export type Manifest = any

/**
 * Builds Helm, kubeconform and kube-score with Go, and the schemas with Go and Python. Takes minutes once, nothing
 * later.
 */
export async function prepareTools(): Promise<void> {
  const tools = ['helm', 'kubeconform', 'kube-score'].filter((name) => !existsSync(join(bin, name)))
  for (const [script, args] of [
    ['build.sh', tools],
    ['schemas.sh', []],
  ] as const) {
    if (script === 'build.sh' && args.length === 0) continue
    const { code, output } = await run(`deploy/cluster/${script}`, args)
    if (code !== 0) throw new StartError(`deploy/cluster/${script} failed: ${output.trim().split('\n').at(-1)}`)
  }
}

export function helm(args: readonly string[]): Promise<Finished> {
  return run(join(bin, 'helm'), args)
}

/** Renders a chart with `helm template`; throws with Helm's output when it fails. */
export function render(chart: string, args: readonly string[]): Promise<Manifest[]> {
  return renderFolder(`deploy/helm/${chart}`, args)
}

/** Renders the chart in any folder; throws with Helm's output when it fails. */
export async function renderFolder(folder: string, args: readonly string[]): Promise<Manifest[]> {
  const all = ['template', 'marketplace', folder, '--kube-version', '1.34.0', ...args]
  const { code, output } = await helm(all)
  if (code !== 0) throw new Error(output)
  // Helm also reports on stderr that charts/service is a link.
  const text = output.slice(output.indexOf('---\n')).replaceAll(/^walk\.go.*$/gm, '')
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null)
}

/** Returns kubeconform's violations of the schemas of Kubernetes and the custom resources. */
export async function schemaViolations(manifests: readonly Manifest[]): Promise<string[]> {
  const { output } = await withManifests(manifests, (file) =>
    run(join(bin, 'kubeconform'), [
      '-strict',
      '-output',
      'json',
      '-schema-location',
      `${schemas}/native/{{.ResourceKind}}{{.KindSuffix}}.json`,
      '-schema-location',
      `${schemas}/custom/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`,
      file,
    ]),
  )
  const Report = z.object({
    resources: z.array(z.object({ kind: z.string(), name: z.string(), msg: z.string() })).default([]),
  })
  return Report.parse(JSON.parse(output)).resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`)
}

// Tags are never reused, so a node may cache an image. A CPU limit would throttle a peak although cores are idle. Pods
// are spread by topology constraints, which the tool does not check.
const accepted = ['--ignore-test', 'container-image-pull-policy,deployment-has-host-podantiaffinity']

/** Returns the critical results and warnings of kube-score. */
export async function securityViolations(manifests: readonly Manifest[]): Promise<string[]> {
  const score = ['score', '--output-format', 'ci', '--ignore-container-cpu-limit', ...accepted]
  const { output } = await withManifests(manifests, (file) => run(join(bin, 'kube-score'), [...score, file]))
  return output.split('\n').filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line))
}

/** Writes manifests to a temporary file while `use` runs. */
export async function withManifests<T>(manifests: readonly Manifest[], use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'manifests-'))
  try {
    const file = join(folder, 'all.yaml')
    await writeFile(file, manifests.map((manifest) => stringify(manifest)).join('---\n'))
    return await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
