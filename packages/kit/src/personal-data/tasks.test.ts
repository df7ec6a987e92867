import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '../db/db.ts'
import { eventDatabase, type EventDatabase, type EventTables } from '../events/events.fixture.ts'
import { newId } from '../values/ids.ts'
import { runTask, claimTask, deleteTask, OpenPaymentsError, assertNoOpenPayments, storeTask } from './tasks.ts'
import type { PersonalData, PersonalDataTask } from './tasks.ts'

describe('a personal data task', () => {
  let database: EventDatabase
  let openPayments: string[] = []
  const data: PersonalData<EventTables> = {
    findOpenPayments: async () => openPayments,
    collect: async (_trx, userId) => ({ of: userId }),
    async erase(trx, userId) {
      await assertNoOpenPayments(trx, data, userId)
      const { numAffectedRows } = await sql`delete from effects where key = ${userId}`.execute(trx)
      return { effects: Number(numAffectedRows ?? 0) }
    },
  }
  beforeAll(async () => {
    database = await eventDatabase()
  })
  beforeEach(async () => {
    openPayments = []
    await database.admin('truncate catalog.personal_data_tasks, catalog.effects')
  })
  afterAll(() => database.close())

  async function storedTask(step: PersonalDataTask['step']): Promise<PersonalDataTask> {
    const task = { requestId: newId(), userId: newId(), step }
    // The task is stored twice, as after a redelivery of the event.
    for (let times = 0; times < 2; times += 1) await transaction(database.db, (trx) => storeTask(trx, task))
    return task
  }

  it('is claimed by one of several processes and again after a crash', async () => {
    const task = await storedTask('ask')
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimTask(database.db)))
    expect(claims.filter(Boolean)).toEqual([task])
    await database.admin(`update catalog.personal_data_tasks set next_at = now()`)
    expect(await claimTask(database.db)).toEqual(task)
    await deleteTask(database.db, task)
    await database.admin(`update catalog.personal_data_tasks set next_at = now()`)
    expect(await claimTask(database.db)).toBe(undefined)
  })

  it('returns the stored result if it runs again', async () => {
    const task = await storedTask('erase')
    await database.admin(`insert into catalog.effects (key, version) values ($1, 1), ($1, 2)`, [task.userId])
    const results = await Promise.all(Array.from({ length: 4 }, () => runTask(database.db, data, task)))
    expect(results).toEqual(Array.from({ length: 4 }, () => ({ effects: 2, 'idempotency keys': 0 })))
  })

  it('deletes the stored responses of the erased user only', async () => {
    const task = await storedTask('erase')
    for (const userId of [task.userId, newId()])
      await database.admin(
        `insert into catalog.idempotency_keys (user_id, route, key, body_hash, state, status, answer)
         values ($1, 'POST /x', 'k', sha256('x'), 'done', 200, '{}')`,
        [userId],
      )
    expect(await runTask(database.db, data, task)).toEqual({ effects: 0, 'idempotency keys': 1 })
    expect(await database.admin('select count(*)::int from catalog.idempotency_keys')).toEqual([{ count: 1 }])
  })

  it('erases nothing while there are open payments', async () => {
    const task = await storedTask('erase')
    await database.admin(`insert into catalog.effects (key, version) values ($1, 1)`, [task.userId])
    openPayments = ['An item is held.']
    await expect(runTask(database.db, data, task)).rejects.toThrow(OpenPaymentsError)
    expect(await database.admin('select count(*)::int from catalog.effects')).toEqual([{ count: 1 }])
    openPayments = []
    expect(await runTask(database.db, data, task)).toEqual({ effects: 1, 'idempotency keys': 0 })
  })
})
