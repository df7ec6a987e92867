import type { ReactNode } from 'react'
import { useIsHydrating } from '../../api/hydration/use-is-hydrating.ts'
import { exactTime } from '../../rules/time.ts'

interface Props {
  at: string
  className?: string
  children: ReactNode
}

/**
 * A time in a short form, with the exact time as tooltip. Renders a blank while the page hydrates, because the server does
 * not know the user's time zone.
 */
export function RelativeTime({ at, className, children }: Props) {
  const isHydrating = useIsHydrating()
  return (
    <time dateTime={at} title={isHydrating ? undefined : exactTime(new Date(at))} className={className}>
      {isHydrating ? '\u00A0' : children}
    </time>
  )
}
