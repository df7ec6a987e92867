import type { Log } from './log.ts'

type EventLog = Pick<Log, 'info' | 'warn'>

export interface SecurityEvent {
  event: 'sign_in' | 'foreign_origin' | 'bad_signature' | 'refresh_token_reused'
  userId: string | null
  /** IP address of the client. Because it is personal data, only security events log it. */
  address: string | null
}

/** Logs an event for intrusion detection: one line whose field `event` is `security.<name>`. */
export function logSecurityEvent(log: EventLog, { event, userId, address }: SecurityEvent): void {
  const line = { event: `security.${event}`, userId, address }
  if (event === 'sign_in') log.info(line, 'security event')
  else log.warn(line, 'security event')
}
