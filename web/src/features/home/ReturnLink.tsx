import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { forgetReturnPage, readReturnPage } from '../../session/return-page.ts'
import { useAuth } from '../../session/use-auth.ts'
import classes from './HomePage.module.css'

function BackLink() {
  const [page] = useState(readReturnPage)
  useEffect(forgetReturnPage, [])
  if (page === null) return null
  return (
    <Link to={page.path} className={classes.return}>
      <IconArrowLeft size={18} aria-hidden="true" />
      <span>
        Back to <bdi>{page.title}</bdi>
      </span>
    </Link>
  )
}

/** After a sign-in, shows a link to the page that the user left to sign in. The link is shown only once. */
export function ReturnLink() {
  const { user } = useAuth()
  return user === null ? null : <BackLink />
}
