import '@fontsource-variable/figtree/wght.css'
import './app/mantine.css'
import './app/tokens.css'
import './app/base.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import { Pages } from './app/pages.tsx'
import { queryClient } from './app/query-client.ts'
import { startPage } from './app/start-page.ts'
import { theme } from './app/theme.ts'
import { AuthProvider } from './session/AuthProvider.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

// The place that base.css keeps free while a dialog hides the page's scrollbar; 0 where scrollbars float.
const { documentElement } = document
documentElement.style.setProperty('--scrollbar-width', `${window.innerWidth - documentElement.clientWidth}px`)

startPage(window.location)

createRoot(root).render(
  <StrictMode>
    {/* Variables are static in tokens.css: a <style> element made at run time would need style-src 'unsafe-inline'. */}
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          {/* Navigations are transitions: the page before stays until the next one's code is there. */}
          <BrowserRouter>
            <Suspense>
              <Pages />
            </Suspense>
          </BrowserRouter>
        </AuthProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
