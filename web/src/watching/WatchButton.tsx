import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { useNavigate } from 'react-router-dom'
import type { Listing } from '../api/types.ts'
import { useAuth } from '../session/use-auth.ts'
import { useSeen } from '../ui/use-seen.ts'
import { useWatch } from './use-watch.ts'
import classes from './WatchButton.module.css'

type Props = Pick<ActionIconProps, 'className' | 'size' | 'variant'> & { listing: Listing }

/** The heart. Signed out it leads to the sign-in page; on one's own listing there is none. */
export function WatchButton({ listing, ...looks }: Props) {
  const { user, isPending } = useAuth()
  const navigate = useNavigate()
  const { ref, isSeen } = useSeen()
  const { isWatched, toggle } = useWatch(listing, isSeen)
  if (isPending || user?.id === listing.user_id) return null
  const Heart = isWatched ? IconHeartFilled : IconHeart
  return (
    <ActionIcon
      {...looks}
      ref={ref}
      aria-label={`Favorite ${listing.title}`}
      aria-pressed={isWatched}
      title={isWatched ? 'Remove from favorites' : 'Add to favorites'}
      onClick={() => (user === null ? void navigate('/sign-in') : toggle())}
    >
      <Heart key={String(isWatched)} className={classes.heart} size={20} stroke={1.7} aria-hidden="true" />
    </ActionIcon>
  )
}
