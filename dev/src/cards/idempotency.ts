import { createHash } from 'node:crypto'
import type { Database } from './database.ts'
import { Problem } from './problems.ts'

export type Answer = { readonly status: number; readonly body: unknown }
export type KeyedRequest = { readonly key: string | undefined; readonly path: string; readonly body: string }

const KEPT_MS = 24 * 60 * 60 * 1000

/** The first answer to this key, also when it was an error; another request under the same key is refused. */
export function answerOnce(
  database: Database,
  request: KeyedRequest,
  work: () => Answer,
): Answer & { replayed: boolean } {
  const { key } = request
  if (key === undefined) return { ...work(), replayed: false }
  const known = findAnswer(database, key, fingerprint(request))
  if (known) return { ...known, replayed: true }
  const answer = work()
  const sql = 'INSERT OR REPLACE INTO answers (key, request, status, body, created_at) VALUES (?, ?, ?, ?, ?)'
  database.prepare(sql).run(key, fingerprint(request), answer.status, JSON.stringify(answer.body), Date.now())
  return { ...answer, replayed: false }
}

function findAnswer(database: Database, key: string, request: string): Answer | undefined {
  const row = database
    .prepare('SELECT request, status, body FROM answers WHERE key = ? AND created_at > ?')
    .get(key, Date.now() - KEPT_MS)
  if (!row) return undefined
  if (row['request'] !== request) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new Problem(400, { type: 'idempotency_error', message })
  }
  return { status: Number(row['status']), body: JSON.parse(String(row['body'])) }
}

function fingerprint({ path, body }: KeyedRequest): string {
  return createHash('sha256').update(`${path}\n${body}`).digest('hex')
}
