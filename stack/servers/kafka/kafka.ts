// A Kafka broker for tests and for development with KAFKA_BROKERS. Needs Java 17 and Maven.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isKafkaReady } from '@marketplace/bus/kafka/topics.ts'
import { addSecureListener, type SecureListener } from './secure-listener.ts'
import { fetchJars } from './jars.ts'
import { freePort } from '../ports.ts'
import { root, run } from '@marketplace/tools/run/run.ts'
import { StartError } from '../../launcher/start-error.ts'

export interface KafkaOptions {
  dataDir: string
  /** Used when free, otherwise another port. */
  port?: number
  /** The port that clients connect to, such as that of a proxy; the broker's own by default. */
  advertisedPort?: number
  /** Adds a listener with TLS and passwords. */
  isSecured?: boolean
  /** The running node whose cluster this one joins as a second broker. */
  joins?: RunningKafka
}

export interface RunningKafka {
  /** host:port, for KAFKA_BROKERS. */
  brokers: string
  /** host:port at which brokers reach the controller. */
  controller: string
  /** The client settings of the secure listener. */
  secure: SecureListener | undefined
  /** Sends a signal, for example to freeze and resume the broker. */
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

const startTimeoutMs = 90_000
const stopTimeoutMs = 15_000

// A small heap and the C1 compiler: the broker starts in seconds and stays under 450 MB.
const javaOptions = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
]

/** Starts one node with its data in a folder and waits until it responds to an admin request. Throws StartError. */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const folder = resolve(options.dataDir)
  const java = [...javaOptions, '-cp', join(await fetchJars(), '*')]
  const port = await freePort(options.port)
  await mkdir(folder, { recursive: true })
  const secure = options.isSecured ? await addSecureListener(folder, await freePort()) : undefined
  const controller = options.joins?.controller ?? `127.0.0.1:${await freePort()}`
  const advertisedPort = options.advertisedPort ?? port
  const isJoining = options.joins !== undefined
  const properties = await writeProperties({ folder, port, advertisedPort, controller, isJoining, secure })
  await format(java, properties, secure)
  const child = launch([...java, 'kafka.Kafka', properties], join(folder, 'kafka.log'))
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const brokers = `127.0.0.1:${port}`
  const stop = () => end(child, exited)
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name)
  if (await waitUntilReady(brokers, child)) return { brokers, controller, secure, signal, stop }
  await stop()
  throw new StartError(`Kafka did not start; see ${join(folder, 'kafka.log')}.`)
}

interface BrokerSettings {
  folder: string
  port: number
  advertisedPort: number
  controller: string
  isJoining: boolean
  secure: SecureListener | undefined
}

async function writeProperties(settings: BrokerSettings): Promise<string> {
  const { folder, port, advertisedPort, controller, isJoining, secure } = settings
  const template = await readFile(join(root, 'stack/servers/kafka/server.properties'), 'utf8')
  const properties = join(folder, 'server.properties')
  const text = template
    .replaceAll('@PORT@', String(port))
    .replaceAll('@ADVERTISED_PORT@', String(advertisedPort))
    .replaceAll('@CONTROLLER@', controller)
    .replaceAll('@LOG_DIR@', join(folder, 'log'))
  const ofRole = isJoining ? toBrokerOnly(text) : text
  await writeFile(properties, secure ? secure.propertiesFrom(ofRole) : ofRole)
  return properties
}

// A second node is no controller, so it does not listen as one.
function toBrokerOnly(properties: string): string {
  return properties
    .replace('process.roles=broker,controller', 'process.roles=broker')
    .replace('node.id=1', 'node.id=2')
    .replace(/^(listeners=.*),CONTROLLER:.*$/m, '$1')
}

async function format(java: readonly string[], properties: string, secure: SecureListener | undefined): Promise<void> {
  const clusterId = Buffer.from('marketplace-dev1').toString('base64url')
  const options = ['-t', clusterId, '-c', properties, '--ignore-formatted', ...(secure?.formatOptions ?? [])]
  const { code, output } = await run('java', [...java, 'kafka.tools.StorageTool', 'format', ...options])
  if (code !== 0)
    throw new StartError(`Kafka requires Java 17 or newer and a writable folder: ${output.trim().split('\n').at(-1)}`)
}

// The shell ends the broker when the pipe on its stdin closes, which happens however this process ends.
const guardScript =
  'exec 3<&0; java "$@" & broker=$!; (read -r _ <&3; kill -TERM $broker) & guard=$!; wait $broker; kill $guard'

function launch(args: readonly string[], log: string): ChildProcess {
  const output = openSync(log, 'a')
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', output, output],
  })
  closeSync(output)
  return child
}

async function waitUntilReady(brokers: string, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + startTimeoutMs
  while (performance.now() < end && child.exitCode === null) {
    if (await isKafkaReady({ KAFKA_BROKERS: brokers })) return true
    await new Promise((done) => setTimeout(done, 200))
  }
  return false
}

async function end({ pid, stdin }: ChildProcess, exited: Promise<void>): Promise<void> {
  stdin?.end()
  const overdue = setTimeout(() => pid && process.kill(-pid, 'SIGKILL'), stopTimeoutMs)
  await exited
  clearTimeout(overdue)
}
