import { createHash } from 'node:crypto'
import type { Database } from '../payments/database.ts'
import { Problem } from './problems.ts'

export interface CallResponse {
  readonly status: number
  readonly body: unknown
}
export interface IdempotentRequest {
  readonly key: string | undefined
  readonly path: string
  readonly body: string
}

const keyTtlMs = 24 * 60 * 60 * 1000

/** Returns the stored response of a key, including errors. Rejects another request with the same key. */
export function runIdempotent(
  database: Database,
  request: IdempotentRequest,
  work: () => CallResponse,
): CallResponse & { replayed: boolean } {
  const { key } = request
  if (key === undefined) return { ...work(), replayed: false }
  const known = findResponse(database, key, fingerprint(request))
  if (known) return { ...known, replayed: true }
  const response = work()
  const sql = 'INSERT OR REPLACE INTO answers (key, request, status, body, created_at) VALUES (?, ?, ?, ?, ?)'
  database.prepare(sql).run(key, fingerprint(request), response.status, JSON.stringify(response.body), Date.now())
  return { ...response, replayed: false }
}

function findResponse(database: Database, key: string, request: string): CallResponse | undefined {
  const row = database
    .prepare('SELECT request, status, body FROM answers WHERE key = ? AND created_at > ?')
    .get(key, Date.now() - keyTtlMs)
  if (!row) return undefined
  if (row['request'] !== request) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new Problem(400, { type: 'idempotency_error', message })
  }
  return { status: Number(row['status']), body: JSON.parse(String(row['body'])) }
}

function fingerprint({ path, body }: IdempotentRequest): string {
  return createHash('sha256').update(`${path}\n${body}`).digest('hex')
}
