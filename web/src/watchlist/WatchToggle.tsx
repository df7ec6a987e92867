import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import type { ListingSummary } from '../api/client/types.ts'
import { useAuth } from '../session/use-auth.ts'
import { ActionIcon, type ActionIconLooks } from '../ui/controls/ActionIcon.tsx'
import { useWatch } from './use-watch.ts'
import classes from './WatchToggle.module.css'

type Props = ActionIconLooks & { className?: string; listing: ListingSummary }

/**
 * The ♡ button that adds a listing to the watchlist. For a signed-out visitor it opens the sign-in page. It is hidden on the
 * user's own listings.
 */
export function WatchToggle({ listing, ...looks }: Props) {
  const { user, isPending } = useAuth()
  const { isWatched, toggle } = useWatch(listing)
  if (isPending || user?.id === listing.user_id) return null
  const Heart = isWatched ? IconHeartFilled : IconHeart
  return (
    <ActionIcon
      {...looks}
      aria-label={`Favorite ${listing.title}`}
      aria-pressed={isWatched}
      title={isWatched ? 'Remove from favorites' : 'Add to favorites'}
      onClick={toggle}
    >
      <Heart key={String(isWatched)} className={classes.heart} size={20} stroke={1.7} aria-hidden="true" />
    </ActionIcon>
  )
}
