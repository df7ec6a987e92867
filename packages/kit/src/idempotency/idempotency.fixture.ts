import { newId } from '../values/ids.ts'
import { openDatabase, type Db, type Trx } from '../db/db.ts'
import { eventDatabase, silentLog, type EventDatabase, type EventTables } from '../events/events.fixture.ts'
import { buildPublicApp, type PublicApp } from '../http/http.ts'
import { routeResponses } from '../http/responses.ts'
import { runIdempotent, runIdempotentAfter } from './idempotency.ts'
import { runIdempotentAcrossCalls } from './claims.ts'
import { z } from 'zod'

export interface Instance {
  app: PublicApp
  db: Db<EventTables>
  close(): Promise<void>
}

/** Behavior of the routes, which tests replace. */
export interface Behavior {
  /** Called in the transaction of a request, after its effect is inserted. */
  work: (trx: Trx<EventTables>, name: string) => Promise<void>
  /** Called before the transaction of a request, or between two calls of a checkout to other services. */
  beforeTransaction: (name: string) => Promise<void>
}

const Effect = z.strictObject({ id: z.number(), name: z.string() })
const body = z.object({ name: z.string(), note: z.string().optional() })
const schema = { body, response: routeResponses({ 201: Effect }, 403, 404, 429) }

/** Starts one instance of a service. Requests use the id of the caller as their token. */
export function startInstance(database: EventDatabase, behavior: Behavior): Instance {
  const db = openDatabase<EventTables>(database.url, () => undefined)
  const verifyToken = async (token: string) => ({
    userId: token,
    sessionId: newId(),
    name: 'Alice',
    issuedAt: new Date(),
    expiresAt: new Date(),
  })
  const app = buildPublicApp({ name: 'test', log: silentLog, verifyToken })
  app.register(async (plain) => addRoutes(plain.withTypeProvider(), db, behavior))
  return {
    app,
    db,
    async close() {
      await app.close()
      await db.destroy()
    },
  }
}

function addRoutes(app: PublicApp, db: Db<EventTables>, behavior: Behavior): void {
  for (const url of ['/effects', '/others', '/named/:id']) {
    app.post(url, { schema }, (request, reply) => {
      const { name } = request.body
      return runIdempotent({ db, request, reply, status: 201 }, (trx) => insertEffect(trx, behavior, name))
    })
  }
  app.post('/after', { schema }, (request, reply) => {
    const { name } = request.body
    const prepare = () => behavior.beforeTransaction(name)
    return runIdempotentAfter({ db, request, reply, status: 201 }, prepare, (trx) => insertEffect(trx, behavior, name))
  })
  app.post('/calls', { schema }, (request, reply) => {
    const { name } = request.body
    return runIdempotentAcrossCalls({ db, request, reply, status: 201, leaseMs: 30_000 }, async () => {
      await behavior.beforeTransaction(name)
      return db.transaction().execute((trx) => insertEffect(trx, behavior, name))
    })
  })
  app.post('/open', { schema, config: { open: true } }, (request, reply) =>
    runIdempotent({ db, request, reply, status: 201 }, (trx) => insertEffect(trx, behavior, request.body.name)),
  )
}

async function insertEffect(trx: Trx<EventTables>, behavior: Behavior, name: string): Promise<z.output<typeof Effect>> {
  const { id } = await trx
    .insertInto('effects')
    .values({ key: name, version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await behavior.work(trx, name)
  return { id, name }
}

export async function createIdempotencyHarness() {
  const database = await eventDatabase()
  const behavior: Behavior = { work: async () => undefined, beforeTransaction: async () => undefined }
  const instances: Instance[] = []
  return {
    database,
    behavior,
    start() {
      const instance = startInstance(database, behavior)
      instances.push(instance)
      return instance
    },
    async close() {
      await Promise.all(instances.map((instance) => instance.close()))
      await database.close()
    },
  }
}

/** Returns a gate: `pass` waits until the test calls `open`. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  let arrived = 0
  return {
    open,
    arrivals: () => arrived,
    async pass() {
      arrived += 1
      await opened
    },
  }
}
