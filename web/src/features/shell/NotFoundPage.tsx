import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { usePageHead } from '../../ui/use-page-head.ts'

export function NotFoundPage() {
  usePageHead('Page not found | Marketplace')
  return (
    <EmptyState drawing="search" heading={<PageHeading>Page not found</PageHeading>}>
      <p>There is nothing at this address. The link may be old or mistyped.</p>
      <Button component={Link} to="/">
        Back to Marketplace
      </Button>
    </EmptyState>
  )
}
