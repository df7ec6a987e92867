import type { ReactNode } from 'react'
import { useIsHydrating } from '../api/use-is-hydrating.ts'
import { exactTime } from '../rules/time.ts'

type Props = { at: string; className?: string; children: ReactNode }

/** A time in short words; the exact one on hover. The server does not know the visitor's time zone: it leaves its place free. */
export function Moment({ at, className, children }: Props) {
  const isHydrating = useIsHydrating()
  return (
    <time dateTime={at} title={isHydrating ? undefined : exactTime(new Date(at))} className={className}>
      {isHydrating ? '\u00A0' : children}
    </time>
  )
}
