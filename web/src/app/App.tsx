import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { RenderedAt } from '../api/clock/use-server-now.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Pages } from './pages.tsx'

/**
 * Dispatches the event `hydrated` when event handlers are attached. before-hydration.ts then replays the click that was made
 * before.
 */
function HydrationSignal() {
  useEffect(() => {
    // The event is dispatched in a separate task, because the effects of parent components, such as the router, run after
    // this effect.
    const timer = window.setTimeout(() => window.dispatchEvent(new Event('hydrated')))
    return () => window.clearTimeout(timer)
  }, [])
  return null
}

interface Props {
  queryClient: QueryClient
  renderedAt: number
}

/** The application inside a router: prerendered by the server and hydrated in the browser. */
export function App({ queryClient, renderedAt }: Props) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RenderedAt value={renderedAt}>
          <Suspense>
            {/* AuthProvider is inside Suspense, so that the signed-out HTML hydrates before the session is loaded. */}
            <AuthProvider>
              <Pages />
              <HydrationSignal />
            </AuthProvider>
          </Suspense>
        </RenderedAt>
      </QueryClientProvider>
    </StrictMode>
  )
}
