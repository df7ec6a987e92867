import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import './mantine.css'

const theme = createTheme({ respectReducedMotion: true })

/**
 * Provides Mantine's context to a dialog or sheet. mantine.css defines Mantine's CSS variables, because the
 * Content-Security-Policy forbids the <style> element in which Mantine would define them.
 */
export function MantineRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}
