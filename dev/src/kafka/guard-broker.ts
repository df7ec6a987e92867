// A listener of the broker with TLS and passwords; needs openssl.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../run.ts'
import { StartError } from '../start-error.ts'

/** A port of the broker that takes only those who trust its certificate and know the password. */
export interface Guard {
  brokers: string
  /** PEM, signed by itself. */
  certificate: string
  username: string
  password: string
  /** The broker's settings with that port besides its others. */
  propertiesFrom(properties: string): string
  /** For the tool that formats the broker's folder, which takes passwords kept as hashes. */
  formatOptions: readonly string[]
}

const [username, password] = ['marketplace', 'a-long-password']
const login = `required username="${username}" password="${password}"`
const modules = 'org.apache.kafka.common.security'

export async function guardBroker(folder: string, port: number): Promise<Guard> {
  const { certificate, keyStore } = await makeCertificate(folder)
  const added = `
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_ssl.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule ${login} user_${username}="${password}";
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=${modules}.scram.ScramLoginModule required;
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required;
ssl.keystore.type=PEM
ssl.keystore.location=${keyStore}
`
  const hashed = `[name=${username},password=${password}]`
  return {
    brokers: `localhost:${port}`,
    certificate,
    username,
    password,
    propertiesFrom: (properties) =>
      properties
        .replace(/^listeners=/m, `listeners=SASL_SSL://127.0.0.1:${port},`)
        .replace(/^advertised\.listeners=/m, `advertised.listeners=SASL_SSL://localhost:${port},`)
        .replace(/^listener\.security\.protocol\.map=/m, '$&SASL_SSL:SASL_SSL,') + added,
    formatOptions: ['--add-scram', `SCRAM-SHA-256=${hashed}`, '--add-scram', `SCRAM-SHA-512=${hashed}`],
  }
}

async function makeCertificate(folder: string): Promise<{ certificate: string; keyStore: string }> {
  const [key, cert, keyStore] = ['broker.key', 'broker.crt', 'broker.pem'].map((name) => join(folder, name))
  if (!key || !cert || !keyStore) throw new Error('nowhere to keep a certificate')
  const asked = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-noenc',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
  ]
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  const { code, output } = await run('openssl', ['req', '-x509', ...asked, ...names, '-keyout', key, '-out', cert])
  if (code !== 0) throw new StartError(`openssl made no certificate: ${output.trim()}`)
  const certificate = await readFile(cert, 'utf8')
  await writeFile(keyStore, (await readFile(key, 'utf8')) + certificate)
  return { certificate, keyStore }
}
