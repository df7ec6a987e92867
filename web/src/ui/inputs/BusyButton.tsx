import { Button, type ButtonProps } from '../controls/Button.tsx'
import { Loader } from '../controls/Loader.tsx'

type Props = Omit<ButtonProps, 'loading'> & { isBusy: boolean }

/**
 * A button that shows a loader and ignores clicks while busy. It keeps the keyboard focus, which a disabled button would
 * lose. A busy submit button still submits its form, so the form must ignore a second submit.
 */
export function BusyButton({ isBusy, leftSection, onClick, ...props }: Props) {
  return (
    <Button
      {...props}
      aria-disabled={isBusy || undefined}
      leftSection={isBusy ? <Loader size={18} aria-label="Working" /> : leftSection}
      onClick={isBusy ? undefined : onClick}
    />
  )
}
