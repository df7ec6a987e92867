// `npm run cluster:test [-- files]` runs stages B and C of the cluster tests. Starts a one-node Kubernetes on this
// machine (root, Linux), installs the released charts and images with their servers, and tests them. STAGE=B needs no
// node; KEEP=true keeps the cluster until Ctrl-C.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { clusterHome, prepareTools } from '../deploy/tools.ts'
import { buildImages, tagAgain } from '../cluster/support/images.ts'
import { forward } from '../cluster/support/forward.ts'
import { installMarketplace, provisionDatabase } from '../cluster/support/install.ts'
import { clusterIp, pki } from '../cluster/support/kubectl.ts'
import { createNamespace } from '../cluster/support/namespace.ts'
import { startProviders } from '../cluster/support/providers.ts'
import { script } from '../cluster/support/script.ts'
import { installServers } from '../cluster/support/servers.ts'
import { freePort } from '@marketplace/stack/servers/ports.ts'
import { runPlaywright, runSuites, type Suite, type SuiteResult } from '@marketplace/tools/run/suites.ts'
import { step } from '@marketplace/stack/launcher/step.ts'

const tag = process.env['TAG'] ?? 'one'
const chosen = process.argv.slice(2)
const report = (line: string) => process.stdout.write(`  ${line}\n`)
process.env['PATH'] = [join(clusterHome, 'bin'), process.env['PATH']].join(delimiter)
process.env['KUBECONFIG'] = join(pki, 'admin.conf')

const playwright = (files: string, env: NodeJS.ProcessEnv) => () =>
  runPlaywright(['--workers=1', ...(chosen.length > 0 ? chosen : [files])], env)

async function startAdmission(scriptOfCluster: string): Promise<void> {
  await step(report, 'Tools', prepareTools)
  await step(report, 'Cluster', () => script(scriptOfCluster))
  await script('kubectl', ['apply', '--server-side', '--filename', join(clusterHome, 'crds')])
  await createNamespace()
}

const admission: Suite = [
  'Admission by an API server',
  playwright('cluster/0-admission', { PAGES_URL: 'http://127.0.0.1' }),
]

async function admit(): Promise<void> {
  await startAdmission('deploy/cluster/control-plane.sh')
  await runSuites('Admission', [admission])
}

/** Installs the release and runs the tests against it. With `KEEP=true` it stays installed until Ctrl-C. */
async function testInstalled(dataDir: string): Promise<SuiteResult> {
  await tagAgain(tag, 'two')
  const port = await freePort()
  const publicOrigin = `http://127.0.0.1:${port}`
  const providers = await startProviders(publicOrigin, dataDir)
  await step(report, 'Servers', installServers)
  await step(report, 'Roles', () => provisionDatabase(tag))
  await step(report, 'Marketplace', () => installMarketplace({ tag, publicOrigin, providers }))
  const way = await forward(await clusterIp('gateway'), 8080, port)
  const env = { PAGES_URL: publicOrigin, NODE_EXTRA_CA_CERTS: join(pki, 'ca.crt') }
  report(`Marketplace is ready at ${publicOrigin}`)
  const finished = await playwright('cluster/(0-images|[a-z]-)', env)()
  if (process.env['KEEP'] === 'true') await waitForSignal(env)
  await providers.stop()
  await way.close()
  return finished
}

async function waitForSignal(env: NodeJS.ProcessEnv): Promise<void> {
  const given = Object.entries({ ...env, KUBECONFIG: process.env['KUBECONFIG'] }).map(
    ([name, value]) => `${name}=${value}`,
  )
  report(`Until Ctrl-C, from tests/: ${given.join(' ')} playwright test --workers=1 cluster/…`)
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))
}

async function installAll(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marketplace-cluster-'))
  await step(report, 'Packages', () => script('deploy/cluster/packages.sh'))
  await step(report, 'Images', () => buildImages(tag))
  await startAdmission('deploy/cluster/up.sh')
  const installed: Suite = ['The installed release', () => testInstalled(dataDir)]
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
