import type { JsonValue } from '@bufbuild/protobuf'
import { transaction } from '@marketplace/kit/db/db.ts'
import { runTask, storeTask, type PersonalDataStep } from '@marketplace/kit/personal-data/tasks.ts'
import { newId } from '@marketplace/kit/values/ids.ts'
import { sql } from 'kysely'
import { personalData } from '../personal-data/personal-data.ts'
import type { Harness } from './harness.ts'

/** Runs a step of a personal-data request as a task that the service's own sweep never claims. */
export async function runPersonalDataStep({ db }: Harness, userId: string, step: PersonalDataStep): Promise<JsonValue> {
  const task = { requestId: newId(), userId, step }
  await transaction(db, async (trx) => {
    await storeTask(trx, task)
    await sql`update personal_data_tasks set next_at = 'infinity' where request_id = ${task.requestId}`.execute(trx)
  })
  return runTask(db, personalData, task)
}
