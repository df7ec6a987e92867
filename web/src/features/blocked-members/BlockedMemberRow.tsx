import { Link } from 'react-router-dom'
import type { BlockedMember } from '../../api/client/types.ts'
import { fullDate } from '../../rules/time.ts'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { BusyButton } from '../../ui/inputs/BusyButton.tsx'
import { useFocusHeading } from '../../ui/hooks/use-restore-focus.ts'
import { RelativeTime } from '../../ui/page/RelativeTime.tsx'
import classes from './BlockedMembersPage.module.css'

interface Props {
  member: BlockedMember
  isUnblocking: boolean
  onUnblock: () => void
}

export function BlockedMemberRow({ member, isUnblocking, onUnblock }: Props) {
  useFocusHeading()
  const { id, name, picture, created_at: blockedAt } = member
  return (
    <div className={classes.row}>
      <Avatar src={picture} name={name} size={44} />
      <div className={classes.who}>
        <h2 id={`member-${id}`} className={classes.name}>
          <Link to={`/sellers/${id}`} dir="auto">
            {name}
          </Link>
        </h2>
        <p className={classes.since}>
          Blocked <RelativeTime at={blockedAt}>{fullDate(new Date(blockedAt))}</RelativeTime>
        </p>
      </div>
      <BusyButton
        variant="default"
        size="sm"
        isBusy={isUnblocking}
        onClick={onUnblock}
        aria-describedby={`member-${id}`}
      >
        Unblock
      </BusyButton>
    </div>
  )
}
