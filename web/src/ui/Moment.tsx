import type { ReactNode } from 'react'
import { exactTime } from '../rules/time.ts'

type Props = { at: string; className?: string; children: ReactNode }

/** A time in short words; the exact one on hover. */
export function Moment({ at, className, children }: Props) {
  return (
    <time dateTime={at} title={exactTime(new Date(at))} className={className}>
      {children}
    </time>
  )
}
