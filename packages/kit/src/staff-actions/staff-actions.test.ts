import { testDatabase, type TestDatabase } from '@marketplace/testing/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, transaction, type Db } from '../db/db.ts'
import { newId } from '../values/ids.ts'
import { insertCommandAction, type StaffActionsTable } from './staff-actions.ts'

interface Tables {
  staff_actions: StaffActionsTable
}

describe.each(['auction', 'payments'])('an action that an operator performed with a command of %s', (service) => {
  let database: TestDatabase
  let db: Db<Tables>

  beforeAll(async () => {
    database = await testDatabase(service)
    db = openDatabase<Tables>(database.url, () => undefined)
  })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  })

  const newAction = () => ({ action: 'lift-strike', subject: newId(), reason: "The seller's request." })
  const actionsOn = (subject: string) =>
    db.selectFrom('staff_actions').selectAll().where('subject', '=', subject).execute()

  it('is stored with its reason and time and without a member of staff, each time that it is performed', async () => {
    const action = newAction()
    for (let times = 0; times < 2; times += 1) await transaction(db, (trx) => insertCommandAction(trx, action))
    const stored = { ...action, id: expect.any(String), staff_id: null, acted_at: expect.any(Date) }
    expect(await actionsOn(action.subject)).toEqual([stored, stored])
  })

  it('is not stored if its transaction fails', async () => {
    const action = newAction()
    const failed = transaction(db, async (trx) => {
      await insertCommandAction(trx, action)
      throw new Error('The action failed.')
    })
    await expect(failed).rejects.toThrow('The action failed.')
    expect(await actionsOn(action.subject)).toEqual([])
  })
})
