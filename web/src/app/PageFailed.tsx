import { Button } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../ui/page/PageHeading.tsx'

/**
 * Shown if a page threw an error or its code failed to load. A release removes the previous version's files, which an
 * open page may still need; a reload then helps.
 */
export function PageFailed() {
  return (
    <EmptyState icon="cloud" heading={<PageHeading>This page didn't load</PageHeading>}>
      <p>Something went wrong. Reloading usually fixes it.</p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  )
}
