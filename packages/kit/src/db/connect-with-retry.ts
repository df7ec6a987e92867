import pg from 'pg'
import { SettingsError } from '../config/config.ts'

// Returns whether an error is final. A retry cannot fix a wrong role or password (SQLSTATE class 28) or an unknown database
// (3D000).
const isFinal = (code: string) => code.startsWith('28') || code === '3D000'
const retryDelayMs = 1000

/**
 * Connects to Postgres. Retries for `timeoutMs` while the server is unavailable. Throws a SettingsError that names
 * `setting` and the reason if it cannot connect.
 */
export async function connectWithRetry(setting: string, url: string, timeoutMs = 0): Promise<pg.Client> {
  const end = performance.now() + timeoutMs
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
      await new Promise((done) => setTimeout(done, retryDelayMs))
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

// Returns why a connection failed: the error's message, or its code if the message is empty. Node's message is empty if
// the host name has several addresses.
function reasonOf(error: unknown, code: string): string {
  return (error instanceof Error && error.message) || code || 'no connection'
}
