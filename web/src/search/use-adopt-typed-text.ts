import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/**
 * Calls `adopt` with text that the user typed into the search box before hydration, and `show` if the box has the
 * focus. A layout effect is needed, because the next render would replace the typed text with the state, which is still
 * empty.
 */
export function useAdoptTypedText(
  field: RefObject<HTMLInputElement | null>,
  { adopt, show }: { adopt: (typed: string) => void; show: () => void },
): void {
  const adoptTypedText = useEffectEvent(() => {
    if (field.current === null) return
    if (field.current.value !== '') adopt(field.current.value)
    if (field.current === document.activeElement) show()
  })
  useLayoutEffect(() => adoptTypedText(), [])
}
