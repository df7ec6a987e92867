import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { transaction } from './db.ts'
import { eventDatabase, type EventDatabase, type EventTables } from './events.fixture.ts'
import { newId } from './ids.ts'
import { answerTask, claimTask, endTask, MoneyInFlight, refuseMoneyInFlight, storeTask } from './personal-data-tasks.ts'
import type { PersonalData, PersonalDataTask } from './personal-data-tasks.ts'

describe('a service’s part in a request about a person’s data', () => {
  let database: EventDatabase
  let inFlight: string[] = []
  const data: PersonalData<EventTables> = {
    findMoneyInFlight: async () => inFlight,
    collect: async (_trx, userId) => ({ of: userId }),
    async erase(trx, userId) {
      await refuseMoneyInFlight(trx, data, userId)
      const { numAffectedRows } = await sql`delete from effects where key = ${userId}`.execute(trx)
      return { effects: Number(numAffectedRows ?? 0) }
    },
  }
  beforeAll(async () => {
    database = await eventDatabase()
  })
  beforeEach(async () => {
    inFlight = []
    await database.admin('truncate catalog.personal_data_tasks, catalog.effects')
  })
  afterAll(() => database.close())

  async function given(step: PersonalDataTask['step']): Promise<PersonalDataTask> {
    const task = { requestId: newId(), userId: newId(), step }
    // Told twice.
    for (let times = 0; times < 2; times += 1) await transaction(database.db, (trx) => storeTask(trx, task))
    return task
  }

  it('is claimed by one of many, and again when that one dies', async () => {
    const task = await given('ask')
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimTask(database.db)))
    expect(claims.filter(Boolean)).toEqual([task])
    await database.admin(`update catalog.personal_data_tasks set next_at = now()`)
    expect(await claimTask(database.db)).toEqual(task)
    await endTask(database.db, task)
    await database.admin(`update catalog.personal_data_tasks set next_at = now()`)
    expect(await claimTask(database.db)).toBe(undefined)
  })

  it('answers the same again when nobody took the first answer', async () => {
    const task = await given('erase')
    await database.admin(`insert into catalog.effects (key, version) values ($1, 1), ($1, 2)`, [task.userId])
    const answers = await Promise.all(Array.from({ length: 4 }, () => answerTask(database.db, data, task)))
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ effects: 2, 'idempotency keys': 0 })))
  })

  it('forgets the first answers of this person’s writes, and nobody else’s', async () => {
    const task = await given('erase')
    for (const userId of [task.userId, newId()])
      await database.admin(
        `insert into catalog.idempotency_keys (user_id, route, key, body_hash, state, status, answer)
         values ($1, 'POST /x', 'k', sha256('x'), 'done', 200, '{}')`,
        [userId],
      )
    expect(await answerTask(database.db, data, task)).toEqual({ effects: 0, 'idempotency keys': 1 })
    expect(await database.admin('select count(*)::int from catalog.idempotency_keys')).toEqual([{ count: 1 }])
  })

  it('waits with erasing while money is in flight, and erases nothing until then', async () => {
    const task = await given('erase')
    await database.admin(`insert into catalog.effects (key, version) values ($1, 1)`, [task.userId])
    inFlight = ['An item is held.']
    await expect(answerTask(database.db, data, task)).rejects.toThrow(MoneyInFlight)
    expect(await database.admin('select count(*)::int from catalog.effects')).toEqual([{ count: 1 }])
    inFlight = []
    expect(await answerTask(database.db, data, task)).toEqual({ effects: 1, 'idempotency keys': 0 })
  })
})
