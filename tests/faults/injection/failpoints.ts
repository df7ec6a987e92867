// Preloaded by fault tests (`node --import`): kills, stops or delays the process at a fault point, outside of product
// code. FAILPOINT names a file that arms a point while it exists. The first process to reach the point removes the
// file, so that one process acts on it once.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, renameSync, statSync } from 'node:fs'
import { ClientRequest, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'

export const Failpoint = z.object({
  point: z.enum([
    // Before a statement with this text is sent.
    'before-statement',
    // Before the commit of a transaction that wrote to this table, or of a single statement that does.
    'before-commit',
    // After the commit, before its caller continues.
    'after-commit',
    // Before a successful response to `POST /api/bids` or another request is written.
    'before-response',
    // After another service or the card provider responded to a call such as `POST /v1/payment_intents`, before its
    // caller continues.
    'after-call',
  ]),
  /** The table, or a part of the statement, request or call. */
  of: z.string(),
  /** A part of the JSON of the parameters of the statement or of the transaction's statements. */
  with: z.string().default(''),
  /** How many times the point is passed without action. */
  skip: z.number().int().default(0),
  /** With `pass` the process continues: the test only observes that the point was reached. */
  action: z.enum(['kill', 'stop', 'delay', 'pass']),
  /** How long the commit or statement is delayed before the action. */
  afterMs: z.number().default(0),
})

export type Failpoint = z.input<typeof Failpoint>
type Armed = z.output<typeof Failpoint> & { file: string; passed: number }

const file = process.env['FAILPOINT']
let armed: Armed | undefined
let armedAt = 0

// The modification time of the file identifies it.
function currentFailpoint(): Armed | undefined {
  if (file === undefined) return undefined
  const modifiedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (modifiedAt === undefined) armed = undefined
  else if (!armed || modifiedAt !== armedAt) armed = arm(file, modifiedAt)
  return armed
}

function arm(file: string, modifiedAt: number): Armed | undefined {
  armedAt = modifiedAt
  try {
    return { ...Failpoint.parse(JSON.parse(readFileSync(file, 'utf8'))), file, passed: 0 }
  } catch {
    return undefined
  }
}

/** Returns the armed fault point when this process is the one to act on it. */
function reach(point: Armed['point'], fits: (meant: Armed) => boolean): Armed | undefined {
  const current = currentFailpoint()
  if (current?.point !== point || !fits(current)) return undefined
  current.passed += 1
  if (current.passed <= current.skip) return undefined
  armed = undefined
  try {
    renameSync(current.file, `${current.file}.reached-${Date.now()}-${process.pid}`)
  } catch {
    return undefined
  }
  return current
}

function act({ action }: Armed): void {
  if (action === 'kill') process.kill(process.pid, 'SIGKILL')
  if (action === 'stop') process.kill(process.pid, 'SIGSTOP')
}

async function actAfter(reached: Armed): Promise<void> {
  if (reached.afterMs > 0) await sleep(reached.afterMs)
  act(reached)
}

interface Statement {
  text: string
  values: unknown
}

/** The statements of the open transaction of each connection; absent outside a transaction. */
const transactions = new WeakMap<object, Statement[]>()

function writes({ text }: Statement, table: string): boolean {
  return new RegExp(`\\b(insert into|update|delete from)\\s+"?${table}"?\\b`, 'i').test(text)
}

/**
 * Returns the statements that commit with this one: its whole transaction, itself alone, or none while the transaction
 * continues.
 */
function committedBy(client: object, statement: Statement): readonly Statement[] {
  const open = transactions.get(client)
  if (/^(begin|start transaction)/i.test(statement.text)) transactions.set(client, [])
  else if (!open) return [statement]
  else if (/^(commit|rollback$)/i.test(statement.text)) transactions.delete(client)
  else open.push(statement)
  return open && /^commit/i.test(statement.text) ? open : []
}

function carries({ values }: Statement, part: string): boolean {
  return part === '' || JSON.stringify(values ?? []).includes(part)
}

function commits(committed: readonly Statement[]): (meant: Armed) => boolean {
  return (meant) => committed.some((one) => writes(one, meant.of) && carries(one, meant.with))
}

function statementOf(query: unknown, values: unknown): Statement | undefined {
  if (typeof query === 'string') return { text: query.trim(), values }
  if (typeof query !== 'object' || query === null || 'submit' in query || !('text' in query)) return undefined
  return { text: String(query.text).trim(), values: 'values' in query ? query.values : values }
}

async function runWatched(client: object, statement: Statement, run: () => Promise<unknown>): Promise<unknown> {
  const committed = committedBy(client, statement)
  const before =
    reach('before-statement', (meant) => statement.text.includes(meant.of) && carries(statement, meant.with)) ??
    reach('before-commit', commits(committed))
  if (before) await actAfter(before)
  const result = await run()
  const after = reach('after-commit', commits(committed))
  if (after) await actAfter(after)
  return result
}

function watchStatements(): void {
  pg.Client.prototype.query = new Proxy(pg.Client.prototype.query, {
    apply(target, client: pg.Client, args: unknown[]) {
      const statement = statementOf(args[0], args[1])
      const run = () => Reflect.apply(target, client, args)
      // Calls with a callback are made by the pool or the client itself.
      if (!statement || args.some((arg) => typeof arg === 'function')) return run()
      return runWatched(client, statement, run)
    },
  })
}

function watchResponses(): void {
  const end = ServerResponse.prototype.end
  ServerResponse.prototype.end = new Proxy(end, {
    apply(target, response: ServerResponse, args: unknown[]) {
      const request = `${response.req.method} ${response.req.url}`
      const isSuccess = response.statusCode < 300
      const reached = isSuccess ? reach('before-response', ({ of }) => request.includes(of)) : undefined
      if (reached) act(reached)
      return Reflect.apply(target, response, args)
    },
  })
}

function watchCalls(): void {
  subscribe('http.client.response.finish', (message) => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return
    const { request } = message
    if (!(request instanceof ClientRequest)) return
    const reached = reach('after-call', ({ of }) => `${request.method} ${request.path}`.includes(of))
    if (reached) act(reached)
  })
}

if (file !== undefined) {
  watchStatements()
  watchResponses()
  watchCalls()
}
