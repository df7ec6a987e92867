// `npm run cluster:test [-- files]`: stages B and C of the cluster's proof. Brings a one-node Kubernetes up on this machine (root,
// Linux), installs the released charts and images with all they need, and tests what runs. STAGE=B needs no node; KEEP=true
// leaves the cluster until Ctrl-C.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { clusterHome, prepareTools } from './charts/tools.ts'
import { buildImages, tagAgain } from './cluster/images.ts'
import { forward } from './cluster/forward.ts'
import { installMarketplace } from './cluster/install.ts'
import { clusterIp, pki } from './cluster/kubectl.ts'
import { makeNamespace } from './cluster/namespace.ts'
import { startProviders } from './cluster/providers.ts'
import { script } from './cluster/script.ts'
import { installServers } from './cluster/servers.ts'
import { freePort } from './ports.ts'
import { run, type Finished } from './run.ts'
import { runSuites, type Suite } from './suites.ts'
import { step } from './step.ts'

const tag = process.env['TAG'] ?? 'one'
const chosen = process.argv.slice(2)
const report = (line: string) => process.stdout.write(`  ${line}\n`)
process.env['PATH'] = [join(clusterHome, 'bin'), process.env['PATH']].join(delimiter)
process.env['KUBECONFIG'] = join(pki, 'admin.conf')

const playwright = (files: string, env: NodeJS.ProcessEnv) => () =>
  run('playwright', ['test', '--workers=1', ...(chosen.length > 0 ? chosen : [files])], { cwd: 'e2e', echo: true, env })

async function startAdmission(scriptOfCluster: string): Promise<void> {
  await step(report, 'Tools', prepareTools)
  await step(report, 'Cluster', () => script(scriptOfCluster))
  await script('kubectl', ['apply', '--server-side', '--filename', join(clusterHome, 'crds')])
  await makeNamespace()
}

const admission: Suite = [
  'What an API server takes',
  playwright('cluster/0-admission', { PAGES_URL: 'http://127.0.0.1' }),
]

async function admit(): Promise<void> {
  await startAdmission('deploy/cluster/control-plane.sh')
  await runSuites('Admission', [admission])
}

/** Installs what is released, runs the tests on it, and leaves it where `KEEP=true` asks to look at it. */
async function testInstalled(dataDir: string): Promise<Finished> {
  await tagAgain(tag, 'two')
  const port = await freePort()
  const publicOrigin = `http://127.0.0.1:${port}`
  const providers = await startProviders(publicOrigin, dataDir)
  await step(report, 'Servers', installServers)
  await step(report, 'Marketplace', () => installMarketplace({ tag, publicOrigin, providers }))
  const way = await forward(await clusterIp('gateway'), 8080, port)
  const env = { PAGES_URL: publicOrigin, NODE_EXTRA_CA_CERTS: join(pki, 'ca.crt') }
  report(`It answers at ${publicOrigin}`)
  const finished = await playwright('cluster/(0-images|[a-z]-)', env)()
  if (process.env['KEEP'] === 'true') await untilTold(env)
  await providers.stop()
  await way.close()
  return finished
}

async function untilTold(env: NodeJS.ProcessEnv): Promise<void> {
  const given = Object.entries({ ...env, KUBECONFIG: process.env['KUBECONFIG'] }).map(
    ([name, value]) => `${name}=${value}`,
  )
  report(`Until Ctrl-C, from e2e/: ${given.join(' ')} playwright test --workers=1 cluster/…`)
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
}

async function installAll(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-cluster-'))
  await step(report, 'Packages', () => script('deploy/cluster/packages.sh'))
  await step(report, 'Images', () => buildImages(tag))
  await startAdmission('deploy/cluster/up.sh')
  const installed: Suite = ['Everything installed', () => testInstalled(dataDir)]
  await runSuites('Cluster', chosen.length > 0 ? [installed] : [admission, installed])
  await rm(dataDir, { recursive: true, force: true })
}

try {
  await script('deploy/cluster/down.sh')
  await (process.env['STAGE'] === 'B' ? admit() : installAll())
} finally {
  await script('deploy/cluster/down.sh')
}
process.exit()
