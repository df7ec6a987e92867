import { useRef, type PointerEvent } from 'react'

const enoughPixels = 40

/** Pointer listeners that call `onStep` for a sideways swipe of a finger; the mouse has buttons. */
export function useSwipe(onStep: (by: 1 | -1) => void) {
  const startX = useRef<number | null>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      startX.current = event.pointerType === 'mouse' ? null : event.clientX
    },
    onPointerUp: (event: PointerEvent) => {
      const moved = startX.current === null ? 0 : event.clientX - startX.current
      startX.current = null
      if (Math.abs(moved) >= enoughPixels) onStep(moved < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      startX.current = null
    },
  }
}
