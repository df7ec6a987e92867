import { newId } from './ids.ts'
import { openDatabase, type Db, type Trx } from './db.ts'
import { eventDatabase, quiet, type EventDatabase, type EventTables } from './events.fixture.ts'
import { buildPublicApp, type PublicApp } from './http.ts'
import { answerOnce, answerOnceAfter } from './idempotency.ts'
import { answerOnceOverCalls } from './idempotency-claims.ts'
import { z } from 'zod'

export interface Pod {
  app: PublicApp
  db: Db<EventTables>
  close(): Promise<void>
}

/** What the routes' work does, to be changed by a test. */
export interface Play {
  /** Called in the transaction, after the effect was written. */
  work: (trx: Trx<EventTables>, name: string) => Promise<void>
  /** Called before the transaction, or between the calls of a checkout. */
  outside: (name: string) => Promise<void>
}

const Effect = z.strictObject({ id: z.number(), name: z.string() })
const body = z.object({ name: z.string(), note: z.string().optional() })
const schema = { body, response: { 201: Effect } }

/** One process of a service whose caller is whoever the token names. */
export function startPod(database: EventDatabase, play: Play): Pod {
  const db = openDatabase<EventTables>(database.url, () => undefined)
  const verifyToken = async (token: string) => ({
    userId: token,
    sessionId: newId(),
    name: 'Alice',
    issuedAt: new Date(),
    expiresAt: new Date(),
  })
  const app = buildPublicApp({ name: 'test', log: quiet, verifyToken })
  app.register(async (plain) => addRoutes(plain.withTypeProvider(), db, play))
  return {
    app,
    db,
    async close() {
      await app.close()
      await db.destroy()
    },
  }
}

function addRoutes(app: PublicApp, db: Db<EventTables>, play: Play): void {
  for (const url of ['/effects', '/others', '/named/:id']) {
    app.post(url, { schema }, (request, reply) => {
      const { name } = request.body
      return answerOnce({ db, request, reply, status: 201 }, (trx) => cause(trx, play, name))
    })
  }
  app.post('/after', { schema }, (request, reply) => {
    const { name } = request.body
    const prepare = () => play.outside(name)
    return answerOnceAfter({ db, request, reply, status: 201 }, prepare, (trx) => cause(trx, play, name))
  })
  app.post('/calls', { schema }, (request, reply) => {
    const { name } = request.body
    return answerOnceOverCalls({ db, request, reply, status: 201, runningMs: 30_000 }, async () => {
      await play.outside(name)
      return db.transaction().execute((trx) => cause(trx, play, name))
    })
  })
  app.post('/open', { schema, config: { open: true } }, (request, reply) =>
    answerOnce({ db, request, reply, status: 201 }, (trx) => cause(trx, play, request.body.name)),
  )
}

async function cause(trx: Trx<EventTables>, play: Play, name: string): Promise<z.output<typeof Effect>> {
  const { id } = await trx
    .insertInto('effects')
    .values({ key: name, version: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await play.work(trx, name)
  return { id, name }
}

export async function idempotencyStage() {
  const database = await eventDatabase()
  const play: Play = { work: async () => undefined, outside: async () => undefined }
  const pods: Pod[] = []
  return {
    database,
    play,
    start() {
      const pod = startPod(database, play)
      pods.push(pod)
      return pod
    },
    async close() {
      await Promise.all(pods.map((pod) => pod.close()))
      await database.close()
    },
  }
}

/** Where work waits until the test opens. */
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
