import { IconArrowLeft, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, Navigate } from 'react-router-dom'
import { useAuth } from '../../session/use-auth.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import classes from './AuthPage.module.css'

export function SignInPage() {
  usePageHead('Sign in | Marketplace')
  const { user, hasExpired, redirectToLogin } = useAuth()
  const [isLeaving, setIsLeaving] = useState(false)
  if (user !== null) return <Navigate to="/" replace />

  async function signIn() {
    setIsLeaving(true)
    await redirectToLogin()
    setIsLeaving(false)
  }

  return (
    <div className={classes.page}>
      <section className={classes.panel}>
        <img src="/favicon.svg" alt="" width={56} height={56} />
        <PageHeading>Welcome to Marketplace</PageHeading>
        <output className={classes.lost}>
          {hasExpired && "You've been signed out. Sign in to continue. We saved what you typed."}
        </output>
        <p>One account to buy, bid, sell and message.</p>
        <Button
          size="lg"
          fullWidth
          loading={isLeaving}
          leftSection={<IconMail size={20} aria-hidden="true" />}
          onClick={() => void signIn()}
        >
          Sign In with Email
        </Button>
        <p className={classes.small}>New to the product? Signing in will automatically create your account</p>
        <p className={classes.small}>
          By signing in you agree to our <Link to="/terms">Terms and Conditions</Link> and{' '}
          <Link to="/privacy">Privacy Policy</Link>.
        </p>
      </section>
      <Link to="/" className={classes.back}>
        <IconArrowLeft size={18} aria-hidden="true" /> Back to home
      </Link>
    </div>
  )
}
