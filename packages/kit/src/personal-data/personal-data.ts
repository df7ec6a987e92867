import {
  PersonalDataRequestedSchema,
  PersonalDataStep as Step,
  UsersService,
} from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, type ConsumerDefinition } from '../events/consumer.ts'
import type { Log } from '../telemetry/log.ts'
import { isTransient } from '../errors/transient-error.ts'
import {
  runTask,
  claimTask,
  deleteTask,
  OpenPaymentsError,
  storeTask,
  type PersonalData,
  type PersonalDataStep,
  type PersonalDataTask,
} from './tasks.ts'
import { rpcClient } from '../rpc/rpc.ts'
import type { Resources } from '../app/service.ts'
import type { Sweep } from '../jobs/sweeper.ts'

const intervalMs = 1000
const deliveryTimeoutMs = 5000

const stepNames: Partial<Record<Step, PersonalDataStep>> = {
  [Step.ASK]: 'ask',
  [Step.EXPORT]: 'export',
  [Step.ERASE]: 'erase',
}
const protoSteps: Record<PersonalDataStep, Step> = { ask: Step.ASK, export: Step.EXPORT, erase: Step.ERASE }

export interface PersonalDataParticipant<Tables> {
  consumer: ConsumerDefinition<Tables>
  sweep: Sweep
}

/**
 * Creates a consumer that stores requests to export or erase personal data, and a sweep that processes them and sends
 * the results to the users service.
 */
export function createPersonalDataParticipant<Tables>(
  { name, db, log, settings }: Resources<Tables>,
  data: PersonalData<Tables>,
): PersonalDataParticipant<Tables> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  async function deliver({ requestId, step }: PersonalDataTask, receipt: string): Promise<void> {
    const message = { requestId, service: name, step: protoSteps[step], receipt }
    await users.takePersonalData(message, { timeoutMs: deliveryTimeoutMs })
  }
  async function sweep(): Promise<number> {
    const task = await claimTask(db)
    if (!task) return 0
    try {
      await deliver(task, JSON.stringify(await runTask(db, data, task)))
      await deleteTask(db, task)
    } catch (error) {
      logFailure(log, task, error)
    }
    return 1
  }
  return { consumer: definition(), sweep: { name: 'personal data', intervalMs, sweep } }
}

function definition<Tables>(): ConsumerDefinition<Tables> {
  return consumer<Tables>(
    'personal-data',
    [topics.users],
    [
      on(PersonalDataRequestedSchema, async (trx, { requestId, userId, step: number }) => {
        const step = stepNames[number]
        if (step) await storeTask(trx, { requestId, userId, step })
      }),
    ],
  )
}

// Only logs the failure of a task, because the sweep retries every failed task.
function logFailure(log: Log, { requestId, step }: PersonalDataTask, error: unknown): void {
  const isExpected = error instanceof OpenPaymentsError || isTransient(error)
  log[isExpected ? 'warn' : 'error']({ err: error, requestId, step }, 'personal data step failed; will retry')
}
