import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { DrawnAt } from '../api/use-server-now.ts'
import { AuthProvider } from '../session/AuthProvider.tsx'
import { useAuth } from '../session/use-auth.ts'
import { Pages } from './pages.tsx'
import { theme } from './theme.ts'

// How long a press waits for the word who it was.
const patienceMs = 1000

/** Tells before-drawing.ts that the page hears what is pressed from now on, and knows by whom. */
function TakenOver() {
  const { isPending } = useAuth()
  useEffect(() => {
    const tell = () => window.dispatchEvent(new Event('taken-over'))
    const timer = window.setTimeout(tell, isPending ? patienceMs : 0)
    return () => window.clearTimeout(timer)
  }, [isPending])
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
