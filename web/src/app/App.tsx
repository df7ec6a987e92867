import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { DrawnAt } from '../api/use-server-now.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { Pages } from './pages.tsx'
import { theme } from './theme.ts'

/** Tells before-drawing.ts that the page hears what is pressed from now on. */
function TakenOver() {
  useEffect(() => void window.dispatchEvent(new Event('taken-over')), [])
  return null
}

type Props = { queryClient: QueryClient; drawnAt: number }

/** Everything within a router: what the server draws ahead and the browser takes over. */
export function App({ queryClient, drawnAt }: Props) {
  return (
    <StrictMode>
      {/* Variables are static in tokens.css: a <style> element made at run time would need style-src 'unsafe-inline'. */}
      <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <DrawnAt value={drawnAt}>
            <Suspense>
              {/* Inside: what was drawn for nobody is taken over first, then told who looks. */}
              <AuthProvider>
                <Pages />
                <TakenOver />
              </AuthProvider>
            </Suspense>
          </DrawnAt>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
