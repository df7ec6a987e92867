import { join } from 'node:path'
import { clusterHome, type Manifest } from '../../deploy/tools.ts'
import { run, type Finished } from '@marketplace/tools/run/run.ts'

export const pki = join(clusterHome, 'run/pki')
export const namespace = 'market'

const env = { KUBECONFIG: join(pki, 'admin.conf') }

/** Runs kubectl in the marketplace's namespace and returns its exit code and output. */
export function tryKubectl(...args: readonly string[]): Promise<Finished> {
  return run('kubectl', ['--namespace', namespace, ...args], { env })
}

/** Runs kubectl and returns its output; throws with the output when it fails. */
export async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, output } = await tryKubectl(...args)
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${output.trim()}`)
  return output.trim()
}

export async function readJson(...args: readonly string[]): Promise<Manifest> {
  return JSON.parse(await kubectl(...args, '--output', 'json'))
}

export function tryHelm(...args: readonly string[]): Promise<Finished> {
  return run(join(clusterHome, 'bin/helm'), ['--namespace', namespace, ...args], { env })
}

export async function helm(...args: readonly string[]): Promise<string> {
  const { code, output } = await tryHelm(...args)
  if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${output.trim()}`)
  return output
}

export async function clusterIp(service: string): Promise<string> {
  return kubectl('get', 'service', service, '--output', 'jsonpath={.spec.clusterIP}')
}
