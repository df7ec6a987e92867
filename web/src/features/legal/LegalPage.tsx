import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'
import classes from './LegalPage.module.css'

export function LegalPage({ title, children }: { title: string; children: ReactNode }) {
  usePageHead(`${title} | Marketplace`)
  return (
    <article className={classes.page}>
      <PageHeading>{title}</PageHeading>
      <p className={classes.date}>
        Effective date: <time dateTime="2025-11-03">November 3, 2025</time>
      </p>
      {children}
    </article>
  )
}
