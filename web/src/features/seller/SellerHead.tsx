import type { MemberProfile } from '../../api/client/types.ts'
import { useAuth } from '../../session/use-auth.ts'
import { Avatar } from '../../ui/controls/Avatar.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { BlockMember } from './BlockMember.tsx'
import classes from './SellerPage.module.css'

interface Props {
  id: string
  profile: MemberProfile | undefined
  lines: string[]
}

/** Picture, name and facts of a member. The name is "Member" if the profile could not be loaded. */
export function SellerHead({ id, profile, lines }: Props) {
  const { user } = useAuth()
  const name = profile?.name ?? 'Member'
  return (
    <header className={classes.head}>
      <Avatar src={profile?.picture ?? null} name={profile?.name ?? ''} size={72} />
      <div className={classes.who}>
        <PageHeading>{name}</PageHeading>
        <ul className={classes.lines}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      {user !== null && user.id !== id && <BlockMember id={id} name={name} />}
    </header>
  )
}
