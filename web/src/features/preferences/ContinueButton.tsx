import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { forgetReturnPage, readReturnPage } from '../../session/return-page.ts'
import { ButtonLink } from '../../ui/controls/Button.tsx'
import classes from './PreferencesPage.module.css'

/** Leads back to the page that the user left to sign in. Renders nothing if there is none. */
export function ContinueButton() {
  const [page] = useState(readReturnPage)
  if (page === null) return null
  return (
    <ButtonLink to={page.path} fullWidth className={classes.continue} onClick={forgetReturnPage}>
      <span className={classes.continueText}>
        Continue to <bdi>{page.title}</bdi>
      </span>
      <IconArrowRight size={18} aria-hidden="true" />
    </ButtonLink>
  )
}
