import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../launcher/topology.ts'

const root = join(import.meta.dirname, '../..')
const withParent = new URL('./with-parent.ts', import.meta.url).href

// A dozen processes share one machine: small young generations, and a bound on the heap.
const defaultNodeFlags = [
  '--max-semi-space-size=2',
  '--max-old-space-size=256',
  '--disable-warning=ExperimentalWarning',
]
const inheritedVariables = [
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'TZ',
  'LANG',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
  'NODE_EXTRA_CA_CERTS',
  'HTTPS_PROXY',
  'NO_PROXY',
]

export interface NodeRun {
  readonly main: string
  readonly args?: readonly string[]
  readonly cwd: string
  readonly settings: Settings
  readonly nodeFlags?: readonly string[] | undefined
  readonly log: string
}

/**
 * Starts a Node process of the stack. It ends with this process, reports the port it listens on, and writes to its log.
 */
export function spawnNode({
  main,
  args = [],
  cwd,
  settings,
  nodeFlags = defaultNodeFlags,
  log,
}: NodeRun): ChildProcess {
  const output = openSync(log, 'a', 0o600)
  const flags = main.endsWith('.ts') ? nodeFlags : []
  const child = spawn(process.execPath, [...flags, '--import', withParent, main, ...args], {
    cwd,
    env: { ...inherited(), NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...settings },
    stdio: ['ignore', output, output, 'ipc'],
  })
  closeSync(output)
  child.on('error', () => {})
  return child
}

export function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
}

function inherited(): Settings {
  return Object.fromEntries(
    inheritedVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
