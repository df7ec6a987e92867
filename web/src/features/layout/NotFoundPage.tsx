import { ButtonLink } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../../ui/page/PageHeading.tsx'
import { usePageHead } from '../../ui/hooks/use-page-head.ts'

export function NotFoundPage() {
  usePageHead('Page not found | Marketplace')
  return (
    <EmptyState icon="search" heading={<PageHeading>Page not found</PageHeading>}>
      <p>We can't find that page. Check the link and try again.</p>
      <ButtonLink to="/">Back to Marketplace</ButtonLink>
    </EmptyState>
  )
}
