import { Button, Loader, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'

type Props = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & { isBusy: boolean }

/**
 * Keeps the keyboard's focus while its work runs, which a disabled button loses. A form that it submits has to ignore a
 * second submit itself.
 */
export function BusyButton({ isBusy, leftSection, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader size={18} color="currentColor" aria-label="Working" /> : leftSection}
      onClick={isBusy ? undefined : onClick}
    />
  )
}
