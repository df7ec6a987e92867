import { createTheme, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import './mantine.css'

const theme = createTheme({ respectReducedMotion: true })

/**
 * What dialogs and sheets need of Mantine. It is not around the whole app, so that pages load without Mantine. Mantine's CSS
 * variables are disabled, because it would create a <style> element, which needs style-src 'unsafe-inline'. mantine.css has
 * the variables instead.
 */
export function MantineRoot({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  )
}
