import {
  PersonalDataRequestedSchema,
  PersonalDataStep as Step,
  UsersService,
} from '@marketplace/contracts/gen/marketplace/users/v1/users_pb.ts'
import { topics } from '@marketplace/contracts/topics.ts'
import { consumer, on, type ConsumerDefinition } from './consumer.ts'
import type { Log } from './log.ts'
import { isPassing } from './passing-error.ts'
import {
  answerTask,
  claimTask,
  endTask,
  MoneyInFlight,
  storeTask,
  type PersonalData,
  type PersonalDataStep,
  type PersonalDataTask,
} from './personal-data-tasks.ts'
import { rpcClient } from './rpc.ts'
import type { Resources } from './service.ts'
import type { Sweep } from './sweeper.ts'

const everyMs = 1000
const deliverMs = 5000

const stepNames: Partial<Record<Step, PersonalDataStep>> = {
  [Step.ASK]: 'ask',
  [Step.EXPORT]: 'export',
  [Step.ERASE]: 'erase',
}
const stepNumbers: Record<PersonalDataStep, Step> = { ask: Step.ASK, export: Step.EXPORT, erase: Step.ERASE }

export interface Participation<Tables> {
  consumer: ConsumerDefinition<Tables>
  sweep: Sweep
}

/** A service's part in requests about one person's data: an event brings a step, users gets a receipt for it. */
export function takePart<Tables>(
  { name, db, log, settings }: Resources<Tables>,
  data: PersonalData<Tables>,
): Participation<Tables> {
  const users = rpcClient(UsersService, settings.USERS_INTERNAL_URL, settings.INTERNAL_SECRET)
  async function deliver({ requestId, step }: PersonalDataTask, receipt: string): Promise<void> {
    const given = { requestId, service: name, step: stepNumbers[step], receipt }
    await users.takePersonalData(given, { timeoutMs: deliverMs })
  }
  async function sweep(): Promise<number> {
    const task = await claimTask(db)
    if (!task) return 0
    try {
      await deliver(task, JSON.stringify(await answerTask(db, data, task)))
      await endTask(db, task)
    } catch (error) {
      tell(log, task, error)
    }
    return 1
  }
  return { consumer: definition(), sweep: { name: 'personal data', everyMs, sweep } }
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

// All of them are tried again.
function tell(log: Log, { requestId, step }: PersonalDataTask, error: unknown): void {
  const isExpected = error instanceof MoneyInFlight || isPassing(error)
  log[isExpected ? 'warn' : 'error']({ err: error, requestId, step }, 'a step with personal data waits')
}
