import type { Log } from '@marketplace/kit/telemetry/log.ts'
import { gauge } from '@marketplace/kit/telemetry/metrics.ts'
import OpenAI from 'openai'
import { z } from 'zod'
import { errorClass } from './provider.ts'

const shutdownTime = gauge(
  'assistant_model_shutdown_timestamp_seconds',
  'Time at which the provider shuts down the assistant model; the time of the check if the model does not exist.',
  ['model'],
)

// Period before a model's shutdown in which warnings are logged; the alert AssistantModelRetiring uses the same period.
// The provider announces shutdowns about three months in advance (developers.openai.com/api/docs/deprecations).
const warningPeriodMs = 90 * 24 * 3_600_000

// Maximum number of retries. The SDK waits between 0.5 and 8 s before each.
const maxRetries = 5

// The shutdown date is missing or null until the provider announces it.
const Model = z.object({ shutdown_date: z.iso.date().nullish() })

export interface ModelCheck {
  provider: OpenAI
  model: string
  /** Deadline of the check in ms, including retries. */
  timeoutMs: number
  stopping: AbortSignal
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Checks whether the provider offers the model, and when it will shut the model down. Reports the result in the log and
 * in a metric. Errors are logged, never thrown.
 */
export async function checkModel(check: ModelCheck, now: Date): Promise<void> {
  const { provider, model, timeoutMs, stopping, log } = check
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
  try {
    const { shutdown_date: date } = Model.parse(await provider.models.retrieve(model, { maxRetries, signal }))
    if (date) reportShutdown(check, date, now)
  } catch (error) {
    if (error instanceof OpenAI.NotFoundError) {
      shutdownTime.set({ model }, now.getTime() / 1000)
      log.warn({ model }, 'assistant model not found')
    } else if (!stopping.aborted) {
      log.warn({ model, reason: errorClass(error) }, 'assistant model check failed')
    }
  }
}

function reportShutdown({ model, log }: ModelCheck, date: string, now: Date): void {
  const at = Date.parse(date)
  shutdownTime.set({ model }, at / 1000)
  const level = at - now.getTime() < warningPeriodMs ? 'warn' : 'info'
  log[level]({ model, shutdownDate: date }, 'assistant model shutdown announced')
}
