// The programs that look at the charts, from the cluster's own folder of binaries; `prepareTools` builds what is missing.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { run, type Finished } from '../run.ts'
import { StartError } from '../start-error.ts'

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
/** Binaries, images and state of the cluster; the scripts of deploy/cluster know it by the same rule. */
export const clusterHome = process.env['CLUSTER_HOME'] ?? join(cache, 'marketplace-cluster')
const bin = join(clusterHome, 'bin')
const schemas = join(clusterHome, 'schemas')

// oxlint-disable-next-line typescript/no-explicit-any -- a manifest has as many shapes as Kubernetes has kinds
export type Manifest = any

/** Helm, kubeconform and kube-score by Go, the schemas by Go and Python: minutes the first time, nothing later. */
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

/** What `helm template` makes of a chart; throws with Helm's own words. */
export async function render(chart: string, args: readonly string[]): Promise<Manifest[]> {
  const all = ['template', 'marketplace', `deploy/helm/${chart}`, '--kube-version', '1.34.0', ...args]
  const { code, output } = await helm(all)
  if (code !== 0) throw new Error(output)
  // Helm also says on its error output that charts/service is a link.
  const text = output.slice(output.indexOf('---\n')).replaceAll(/^walk\.go.*$/gm, '')
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null)
}

/** What kubeconform says against the manifests; nothing when they fit the schemas of Kubernetes and of the custom resources. */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<string[]> {
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

// Tags are never used twice, so a node may keep an image. A limit on CPU would throttle a peak that has room to be served.
// Pods are spread by topology constraints, of which the tool does not know.
const accepted = ['--ignore-test', 'container-image-pull-policy,deployment-has-host-podantiaffinity']

/** What kube-score finds critical or worth a warning. */
export async function securityFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const score = ['score', '--output-format', 'ci', '--ignore-container-cpu-limit', ...accepted]
  const { output } = await withManifests(manifests, (file) => run(join(bin, 'kube-score'), [...score, file]))
  return output.split('\n').filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line))
}

/** Hands manifests to a program as a file. */
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
