import type { ReactNode } from 'react'
import { useIsHydrating } from '../../api/hydration/use-is-hydrating.ts'
import { exactTime } from '../../rules/time.ts'

interface Props {
  at: string
  className?: string
  children: ReactNode
}

/** A short form of a time with the exact time on hover. While hydrating it renders a blank, because the server has no time zone. */
export function RelativeTime({ at, className, children }: Props) {
  const isHydrating = useIsHydrating()
  return (
    <time dateTime={at} title={isHydrating ? undefined : exactTime(new Date(at))} className={className}>
      {isHydrating ? '\u00A0' : children}
    </time>
  )
}
