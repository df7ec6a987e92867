import { Button } from '../ui/controls/Button.tsx'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { PageHeading } from '../ui/page/PageHeading.tsx'

/**
 * Shown instead of a page that threw an error or whose code failed to load. Code can fail to load after a release,
 * because its file was replaced by a new version; a reload then helps.
 */
export function PageFailed() {
  return (
    <EmptyState icon="cloud" heading={<PageHeading>This page didn't load</PageHeading>}>
      <p>Something went wrong. Reloading usually fixes it.</p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  )
}
