import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import { SessionList } from './SessionList.tsx'
import classes from './SessionsPage.module.css'

export function SessionsPage() {
  usePageHead('Sessions | Marketplace')
  return (
    <div className={classes.page}>
      <section className={classes.panel} aria-labelledby="sessions">
        <div className={classes.head}>
          <PageHeading id="sessions">Sessions</PageHeading>
          <p>The browsers where you are signed in. End a session that you do not recognize.</p>
        </div>
        <SessionList />
      </section>
    </div>
  )
}
