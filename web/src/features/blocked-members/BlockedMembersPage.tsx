import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { BlockedMemberList } from './BlockedMemberList.tsx'
import classes from './BlockedMembersPage.module.css'

export function BlockedMembersPage() {
  usePageHead('Blocked members | Marketplace')
  return (
    <div className={classes.page}>
      <section className={classes.panel} aria-labelledby="blocked-members">
        <div className={classes.head}>
          <PageHeading id="blocked-members">Blocked members</PageHeading>
          <p>They can't message you, make offers, or bid on or buy your items. They aren't told.</p>
        </div>
        <BlockedMemberList />
      </section>
    </div>
  )
}
