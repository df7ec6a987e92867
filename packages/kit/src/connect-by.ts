import pg from 'pg'
import { SettingsError } from './config.ts'

// Class 28 of SQLSTATE: wrong role or password; 3D000: no such database. Waiting changes neither.
const isFinal = (code: string) => code.startsWith('28') || code === '3D000'
const againMs = 1000

/** A connection, or a SettingsError that says in one sentence which setting does not work and why; it waits for a server that is away. */
export async function connectBy(setting: string, url: string, patienceMs = 0): Promise<pg.Client> {
  const end = performance.now() + patienceMs
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      const code = codeOf(error)
      if (isFinal(code) || performance.now() >= end)
        throw new SettingsError(`${setting} does not work: ${reasonOf(error, code)}.`)
      await client.end().catch(() => undefined)
      await new Promise((done) => setTimeout(done, againMs))
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

// A name with several addresses fails with an error that has a code and no message.
function reasonOf(error: unknown, code: string): string {
  return (error instanceof Error && error.message) || code || 'no connection'
}
