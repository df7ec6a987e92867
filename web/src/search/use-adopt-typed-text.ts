import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/** Passes text that was typed before hydration to `adopt`, and calls `show` if the search box has the focus. */
export function useAdoptTypedText(
  field: RefObject<HTMLInputElement | null>,
  { adopt, show }: { adopt: (typed: string) => void; show: () => void },
): void {
  const adoptTypedText = useEffectEvent(() => {
    if (field.current === null) return
    if (field.current.value !== '') adopt(field.current.value)
    if (field.current === document.activeElement) show()
  })
  // A layout effect reads the typed text before the next render overwrites it.
  useLayoutEffect(() => adoptTypedText(), [])
}
