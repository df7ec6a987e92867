// A listener of the broker with TLS and passwords. Needs openssl.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@marketplace/tools/run/run.ts'
import { StartError } from '../../launcher/start-error.ts'

/** A broker port that accepts only clients that trust its certificate and authenticate with the password. */
export interface SecureListener {
  brokers: string
  /** PEM, self-signed. */
  certificate: string
  username: string
  password: string
  /** Returns the broker's properties with this listener added. */
  propertiesFrom(properties: string): string
  /** For the tool that formats the broker's folder and stores hashed passwords. */
  formatOptions: readonly string[]
}

const [username, password] = ['marketplace', 'a-long-password']
const login = `required username="${username}" password="${password}"`
const modules = 'org.apache.kafka.common.security'

export async function addSecureListener(folder: string, port: number): Promise<SecureListener> {
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
  if (!key || !cert || !keyStore) throw new Error('the certificate has no path')
  const keyOptions = [
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
  const { code, output } = await run('openssl', ['req', '-x509', ...keyOptions, ...names, '-keyout', key, '-out', cert])
  if (code !== 0) throw new StartError(`openssl failed to create a certificate: ${output.trim()}`)
  const certificate = await readFile(cert, 'utf8')
  await writeFile(keyStore, (await readFile(key, 'utf8')) + certificate)
  return { certificate, keyStore }
}
