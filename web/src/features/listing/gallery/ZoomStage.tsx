import { useLayoutEffect, useRef, type MouseEvent } from 'react'
import type { ShownPicture } from '../../../rules/pictures.ts'
import { Picture } from '../../../ui/listing/Picture.tsx'
import classes from './Zoom.module.css'

/** A point in the picture, as fractions of its width and height. */
export interface Point {
  x: number
  y: number
}

/** Maximum time in ms between the two taps of a double tap. */
const doubleTapMs = 300

function pointOf({ currentTarget, clientX, clientY }: MouseEvent): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return { x: (clientX - left) / width, y: (clientY - top) / height }
}

/**
 * Calls `onToggle` after a mouse click, a press of Enter or Space, or a double tap. A single tap is ignored, because it
 * may start a pan.
 */
function useToggle(onToggle: (point: Point) => void) {
  const tappedAt = useRef(Number.NEGATIVE_INFINITY)
  return (event: MouseEvent) => {
    const isTouch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType === 'touch'
    const isDoubleTap = event.timeStamp - tappedAt.current < doubleTapMs
    tappedAt.current = isDoubleTap ? Number.NEGATIVE_INFINITY : event.timeStamp
    if (!isTouch || isDoubleTap) onToggle(pointOf(event))
  }
}

interface Props {
  picture: ShownPicture | undefined
  alt: string
  /**
   * The point that is scrolled to the middle of the container when the picture is enlarged; null while it is not
   * enlarged.
   */
  enlargedAt: Point | null
  onToggle: (point: Point) => void
}

/** A picture in a scroll container. The picture can be enlarged to 2.5 times the size of the container. */
export function ZoomStage({ picture, alt, enlargedAt, onToggle }: Props) {
  const stage = useRef<HTMLElement>(null)
  const toggle = useToggle(onToggle)
  useLayoutEffect(() => {
    if (stage.current === null || enlargedAt === null) return
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = stage.current
    stage.current.scrollTo({
      left: enlargedAt.x * scrollWidth - clientWidth / 2,
      top: enlargedAt.y * scrollHeight - clientHeight / 2,
    })
  }, [enlargedAt])
  return (
    <section ref={stage} aria-label="Zoomed picture" className={classes.stage}>
      <button
        type="button"
        className={classes.picture}
        data-enlarged={enlargedAt !== null || undefined}
        onClick={toggle}
      >
        <Picture src={picture?.url} facts={picture?.facts} alt={alt} fit="contain" shown="window" isEager />
      </button>
    </section>
  )
}
