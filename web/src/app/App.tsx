import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { RenderedAt } from '../api/clock/use-server-now.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Pages } from './pages.tsx'

/** Dispatches the event `hydrated` to before-hydration.ts once React has attached the event handlers. */
function HydrationSignal() {
  useEffect(() => {
    // The timer delays the event until the effects of parent components, such as the router, have run.
    const timer = window.setTimeout(() => window.dispatchEvent(new Event('hydrated')))
    return () => window.clearTimeout(timer)
  }, [])
  return null
}

interface Props {
  queryClient: QueryClient
  renderedAt: number
}

/** The application, to be rendered inside a router. The server prerenders it, and the browser hydrates it. */
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
