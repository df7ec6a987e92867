import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import './mantine.css'

const theme = createTheme({ respectReducedMotion: true })

/**
 * Provides Mantine's context to dialogs and sheets only, so that pages load without Mantine. Mantine's CSS variables
 * are disabled, because they need a <style> element, which the Content-Security-Policy forbids. mantine.css defines the
 * variables instead.
 */
export function MantineRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}
