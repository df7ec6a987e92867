// `npm run nightly -- openapi` sends valid and invalid requests to every operation of the public OpenAPI document, by
// schemathesis, and fails on each response that contradicts the document. Needs Python 3.10 with pip, which a machine of
// CI may lack. Installs tests/openapi/requirements.txt into a temporary virtual environment.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutPages } from '@marketplace/stack/launcher/topology.ts'
import { withStack } from '@marketplace/stack/launcher/with-stack.ts'
import { root, run } from '@marketplace/tools/run/run.ts'
import { runSuites, type SuiteResult } from '@marketplace/tools/run/suites.ts'
import { startWalk } from '../support/api-walk/contract.ts'
import { signInOnWalk } from '../support/api-walk/walk-as-users.ts'

const many = '1000000'
const env = {
  gateway: {
    LIMIT_READS_PER_SECOND: many,
    LIMIT_WRITE_BURST: many,
    LIMIT_ADDRESS_WRITE_BURST: many,
    LIMIT_WEBHOOK_BURST: many,
    LIMIT_SIGN_INS_PER_MINUTE: many,
    LIMIT_CHATS_PER_MINUTE: many,
  },
  // The access token outlives the run, because schemathesis does not refresh the session.
  users: { ACCESS_TOKEN_TTL_MS: '3000000' },
}

const folder = await mkdtemp(join(tmpdir(), 'marketplace-openapi-'))
try {
  await runSuites('OpenAPI document', [['Schemathesis', testDocument]])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function testDocument(): Promise<SuiteResult> {
  const venv = join(folder, 'venv')
  const pip = ['install', '--quiet', '--no-deps', '-r', 'tests/openapi/requirements.txt']
  await runOrThrow('python3', ['-m', 'venv', venv])
  await runOrThrow(join(venv, 'bin/pip'), pip)
  return withStack({ seedDemo: true, durable: false, only: withoutPages, env }, ({ url }) => runSchemathesis(venv, url))
}

async function runSchemathesis(venv: string, url: string): Promise<SuiteResult> {
  const walk = await startWalk(url)
  const [access = ''] = (await signInOnWalk(walk, url, 'nina@example.com')).split('; ')
  const [name = '', token = ''] = access.split('=')
  const document = join(folder, 'openapi.json')
  // The document names the session cookie of a public origin with HTTPS, and the stack runs on loopback.
  const text = await (await fetch(`${url}/api/openapi.json`)).text()
  await writeFile(document, text.replace('__Host-access', name))
  const report = join(folder, 'report.xml')
  const args = ['--config-file', join(root, 'tests/openapi/schemathesis.toml'), 'run', document, '--url', url]
  const { code } = await run(join(venv, 'bin/schemathesis'), [...args, '--report-junit-path', report], {
    echo: true,
    // It writes a cache into the working directory.
    cwd: folder,
    env: {
      SESSION: token,
      SCHEMATHESIS_HOOKS: join(root, 'tests/openapi/hooks.py'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
  })
  const xml = await readFile(report, 'utf8').catch(() => '')
  const tests = xml.match(/<testcase /g)?.length ?? 0
  const failed = xml.match(/<(?:failure|error)[ >]/g)?.length ?? 0
  return { code, passed: Math.max(0, tests - failed), failed }
}

async function runOrThrow(command: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`)
}
