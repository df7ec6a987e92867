import { startTransition, useEffect, useMemo, useState } from 'react'
import type { PictureFacts } from '../../api/client/types.ts'
import { averageColor } from '../../rules/thumbhash.ts'
import { shareLoad } from './share-load.ts'
import classes from './Picture.module.css'

interface Props {
  facts: PictureFacts
  fit: 'cover' | 'contain'
}

type Draw = (thumbhash: string) => string

// Null until the module has loaded.
let loadedDraw: Draw | null = null

const loadDraw = shareLoad(async () => {
  const { drawThumbhash } = await import('./draw-thumbhash.ts')
  loadedDraw = drawThumbhash
})

/** Returns the function that draws a thumbhash, or null until the function's code has loaded. */
function useDraw(): Draw | null {
  const [draw, setDraw] = useState(() => loadedDraw)
  useEffect(() => {
    if (draw !== null) return undefined
    let isShown = true
    loadDraw().then(
      () => isShown && startTransition(() => setDraw(() => loadedDraw)),
      () => null,
    )
    return () => {
      isShown = false
    }
  }, [draw])
  return draw
}

/**
 * Placeholder for a loading picture: its average color and, once the thumbhash is decoded, a blurred image. An SVG is
 * used, because the Content-Security-Policy forbids the `style` attribute.
 */
export function PictureGround({ facts: { width, height, thumbhash }, fit }: Props) {
  const draw = useDraw()
  const drawn = useMemo(() => draw?.(thumbhash) ?? null, [draw, thumbhash])
  return (
    <svg
      className={classes.ground}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet'}
      aria-hidden="true"
    >
      <rect width={width} height={height} fill={averageColor(thumbhash)} />
      {drawn !== null && <image href={drawn} width={width} height={height} preserveAspectRatio="none" />}
    </svg>
  )
}
