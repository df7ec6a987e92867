import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/**
 * Adopts text that the user typed before hydration. A layout effect is needed, because the next render would clear the
 * search box. If the search box has the focus, the list is opened as on focus.
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
