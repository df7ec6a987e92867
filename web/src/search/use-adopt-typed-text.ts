import { useEffectEvent, useLayoutEffect, type RefObject } from 'react'

/**
 * Adopts text that the user typed into the search box before hydration. A layout effect is needed, because the next
 * render sets the search box to the text in the state, which is still empty. If the search box has the focus, the list
 * of suggestions is opened.
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
