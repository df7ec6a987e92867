import { useRef, type PointerEvent } from 'react'

const minSwipePixels = 40

/**
 * Returns pointer listeners that call `onStep` after a horizontal swipe. They ignore the mouse, because mouse users can
 * click the buttons.
 */
export function useSwipe(onStep: (by: 1 | -1) => void) {
  const startX = useRef<number | null>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      startX.current = event.pointerType === 'mouse' ? null : event.clientX
    },
    onPointerUp: (event: PointerEvent) => {
      const moved = startX.current === null ? 0 : event.clientX - startX.current
      startX.current = null
      if (Math.abs(moved) >= minSwipePixels) onStep(moved < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      startX.current = null
    },
  }
}
