import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { RenderedAt } from '../api/clock/use-server-now.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Pages } from './pages.tsx'
import { theme } from './theme.ts'

/** Dispatches `hydrated` once event handlers are attached; before-hydration.ts then replays a deferred click. */
function HydrationSignal() {
  useEffect(() => {
    // In a task of its own, because effects of parents, such as the router's, run after this one.
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
      {/* CSS variables are static in tokens.css: a <style> element created at run time would need style-src 'unsafe-inline'. */}
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <RenderedAt value={renderedAt}>
            <Suspense>
              {/* Inside Suspense, so that the signed-out HTML hydrates before the session is loaded. */}
              <AuthProvider>
                <Pages />
                <HydrationSignal />
              </AuthProvider>
            </Suspense>
          </RenderedAt>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
