// A real Kafka for tests and for development with KAFKA_BROKERS; needs Java 17 and Maven.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { kafkaAnswers } from '@marketplace/kit/bus-kafka-topics.ts'
import { guardBroker, type Guard } from './kafka/guard-broker.ts'
import { fetchJars } from './kafka/jars.ts'
import { freePort } from './ports.ts'
import { root, run } from './run.ts'
import { StartError } from './start-error.ts'

export interface KafkaOptions {
  dataDir: string
  /** Taken when free, else another. */
  port?: number
  /** Where clients are sent: that of a proxy before it; its own unless given. */
  advertisedPort?: number
  /** Also listens on a port of TLS and passwords. */
  isGuarded?: boolean
}

export interface RunningKafka {
  /** host:port, for KAFKA_BROKERS. */
  brokers: string
  /** What a client needs for the other port. */
  guard: Guard | undefined
  /** To freeze it and let it go on. */
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

const START_MS = 90_000
const STOP_MS = 15_000

// A small heap and the quick compiler: it starts in seconds and stays under 450 MB.
const javaOptions = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
]

/** Starts one node with its data in a folder, and waits until it answers an admin's call. */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const folder = resolve(options.dataDir)
  const java = [...javaOptions, '-cp', join(await fetchJars(), '*')]
  const port = await freePort(options.port)
  await mkdir(folder, { recursive: true })
  const guard = options.isGuarded ? await guardBroker(folder, await freePort()) : undefined
  const properties = await writeProperties({ folder, port, advertisedPort: options.advertisedPort ?? port, guard })
  await format(java, properties, guard)
  const child = launch([...java, 'kafka.Kafka', properties], join(folder, 'kafka.log'))
  const exited = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  const brokers = `127.0.0.1:${port}`
  const stop = () => end(child, exited)
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name)
  if (await answers(brokers, child)) return { brokers, guard, signal, stop }
  await stop()
  throw new StartError(`Kafka did not start, see ${join(folder, 'kafka.log')}.`)
}

interface Place {
  folder: string
  port: number
  advertisedPort: number
  guard: Guard | undefined
}

async function writeProperties({ folder, port, advertisedPort, guard }: Place): Promise<string> {
  const template = await readFile(join(root, 'dev/kafka/server.properties'), 'utf8')
  const properties = join(folder, 'server.properties')
  const text = template
    .replaceAll('@PORT@', String(port))
    .replaceAll('@ADVERTISED_PORT@', String(advertisedPort))
    .replaceAll('@CONTROLLER_PORT@', String(await freePort()))
    .replaceAll('@LOG_DIR@', join(folder, 'log'))
  await writeFile(properties, guard ? guard.propertiesFrom(text) : text)
  return properties
}

async function format(java: readonly string[], properties: string, guard: Guard | undefined): Promise<void> {
  const clusterId = Buffer.from('marketplace-dev1').toString('base64url')
  const options = ['-t', clusterId, '-c', properties, '--ignore-formatted', ...(guard?.formatOptions ?? [])]
  const { code, output } = await run('java', [...java, 'kafka.tools.StorageTool', 'format', ...options])
  if (code !== 0)
    throw new StartError(`Kafka needs Java 17 or newer, and a folder it can write: ${output.trim().split('\n').at(-1)}`)
}

// The shell ends the broker when the pipe on its input closes, which it does however this process ends.
const guarded =
  'exec 3<&0; java "$@" & broker=$!; (read -r _ <&3; kill -TERM $broker) & guard=$!; wait $broker; kill $guard'

function launch(args: readonly string[], log: string): ChildProcess {
  const output = openSync(log, 'a')
  const child = spawn('/bin/sh', ['-c', guarded, 'sh', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', output, output],
  })
  closeSync(output)
  return child
}

async function answers(brokers: string, child: ChildProcess): Promise<boolean> {
  const end = performance.now() + START_MS
  while (performance.now() < end && child.exitCode === null) {
    if (await kafkaAnswers({ KAFKA_BROKERS: brokers })) return true
    await new Promise((done) => setTimeout(done, 200))
  }
  return false
}

async function end({ pid, stdin }: ChildProcess, exited: Promise<void>): Promise<void> {
  stdin?.end()
  const overdue = setTimeout(() => pid && process.kill(-pid, 'SIGKILL'), STOP_MS)
  await exited
  clearTimeout(overdue)
}
