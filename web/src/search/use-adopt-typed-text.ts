import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/**
 * Calls `adopt` with text that the user typed into the search box before hydration. Calls `show` if the box has the
 * focus. Uses a layout effect, because the next render would replace the text with the empty state.
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
