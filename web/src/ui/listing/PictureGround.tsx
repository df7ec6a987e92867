import { useEffect, useState } from 'react'
import type { PictureFacts } from '../../api/client/types.ts'
import { averageColor } from '../../rules/thumbhash.ts'
import classes from './Picture.module.css'

interface Props {
  facts: PictureFacts
  fit: 'cover' | 'contain'
}

/**
 * Placeholder for a loading picture: its average color, then, in the browser, a blurred image decoded from the
 * thumbhash. An SVG, because the Content-Security-Policy forbids the attribute `style`.
 */
export function PictureGround({ facts: { width, height, thumbhash }, fit }: Props) {
  const [drawn, setDrawn] = useState<string | null>(null)
  useEffect(() => {
    let isShown = true
    import('./draw-thumbhash.ts').then(
      ({ drawThumbhash }) => isShown && setDrawn(drawThumbhash(thumbhash)),
      () => null,
    )
    return () => {
      isShown = false
    }
  }, [thumbhash])
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
