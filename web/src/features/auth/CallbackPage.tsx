import { IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useAuth } from '../../session/use-auth.ts'
import { Loader } from '../../ui/controls/Loader.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import classes from './AuthPage.module.css'

type Outcome = 'waiting' | 'signed-in' | 'failed'

const next = {
  'signed-in': { path: '/notification-preferences', afterMs: 2_000 },
  failed: { path: '/sign-in', afterMs: 3_000 },
} as const

function useCodeExchange(): Outcome {
  const { exchangeCodeForSessionToken } = useAuth()
  const [outcome, setOutcome] = useState<Outcome>('waiting')
  useEffect(() => {
    if (outcome !== 'waiting') return undefined
    let isCurrent = true
    exchangeCodeForSessionToken().then(
      () => isCurrent && setOutcome('signed-in'),
      () => isCurrent && setOutcome('failed'),
    )
    return () => {
      isCurrent = false
    }
  }, [exchangeCodeForSessionToken, outcome])
  return outcome
}

function OutcomeMessage({ outcome }: { outcome: Outcome }) {
  const { user } = useAuth()
  if (outcome === 'waiting') {
    return (
      <>
        <Loader className={classes.loader} aria-hidden="true" />
        <PageHeading>Signing you in...</PageHeading>
        <p>Just a moment.</p>
      </>
    )
  }
  if (outcome === 'failed') {
    return (
      <>
        <IconCircleX className={classes.bad} size={48} stroke={1.4} aria-hidden="true" />
        <PageHeading>Authentication Failed</PageHeading>
        <p>Taking you back to sign in.</p>
      </>
    )
  }
  const name = user?.google_user_data.name
  return (
    <>
      <IconCircleCheck className={classes.good} size={48} stroke={1.4} aria-hidden="true" />
      <PageHeading>{name ? `Welcome, ${name}` : 'Welcome'}</PageHeading>
      <p>You are signed in.</p>
    </>
  )
}

export function CallbackPage() {
  usePageHead('Signing in | Marketplace')
  const navigate = useNavigate()
  const outcome = useCodeExchange()

  useEffect(() => {
    if (outcome === 'waiting') return undefined
    const { path, afterMs } = next[outcome]
    const timer = window.setTimeout(() => void navigate(path, { replace: true }), afterMs)
    return () => window.clearTimeout(timer)
  }, [outcome, navigate])

  return (
    <div className={classes.page}>
      <section className={classes.panel} aria-live="polite">
        <OutcomeMessage outcome={outcome} />
      </section>
    </div>
  )
}
