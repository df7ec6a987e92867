// An S3 server for tests: versitygw over a folder. Needs versitygw on the PATH or in the folder into which Go installs.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './ports.ts'
import { StartError } from '../launcher/start-error.ts'

export interface ObjectStore {
  url: string
  accessKeyId: string
  secretAccessKey: string
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const install = 'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0'

/** Starts a server without buckets and waits until it responds. Throws StartError. */
export async function startObjectStore(host = '127.0.0.1'): Promise<ObjectStore> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'objects-'))
  // Metadata is stored in files, because not every file system has extended attributes.
  const [objects, sidecar] = [join(folder, 'objects'), join(folder, 'metadata')]
  await Promise.all([mkdir(objects), mkdir(sidecar)])
  const [accessKeyId, secretAccessKey] = ['tests', randomBytes(16).toString('hex')]
  const go = join(process.env['GOPATH'] ?? join(homedir(), 'go'), 'bin')
  const env = {
    ...process.env,
    PATH: `${process.env['PATH'] ?? ''}${delimiter}${process.env['GOBIN'] ?? go}`,
    ROOT_ACCESS_KEY: accessKeyId,
    ROOT_SECRET_KEY: secretAccessKey,
  }
  const args = ['--port', `${host}:${port}`, '--quiet', 'posix', '--sidecar', sidecar, objects]
  const child = spawn('versitygw', args, { env, stdio: 'ignore' })
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const stop = async () => {
    child.kill('SIGKILL')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://${host}:${port}`
  if (child.pid !== undefined && (await waitUntilReady(url, child))) return { url, accessKeyId, secretAccessKey, stop }
  await stop()
  throw new StartError(child.pid === undefined ? `versitygw is required: ${install}` : 'versitygw did not start.')
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + startTimeoutMs
  while (performance.now() < end && child.exitCode === null) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return true
    await new Promise((done) => setTimeout(done, 50))
  }
  return false
}
