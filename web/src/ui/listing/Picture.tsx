import { IconBox, IconPhotoOff } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { site } from '../../api/client/site.ts'
import { displayWidths, srcSetOf } from '../../rules/pictures.ts'
import { VisuallyHidden } from '../controls/VisuallyHidden.tsx'
import classes from './Picture.module.css'

interface Props {
  src: string | null | undefined
  alt: string
  isEager?: boolean
  /** Whether this picture is the main picture of the page, which is fetched with high priority. */
  isMain?: boolean
  fit?: 'cover' | 'contain'
  /** Where the picture is shown, which determines its width; by default on a card. */
  shown?: keyof typeof displayWidths
  /** Called if the picture fails to load. */
  onBroken?: () => void
}

/**
 * Rewrites an http URL of another host to https. The Content-Security-Policy blocks http pictures, and most hosts also serve
 * https.
 */
function toSecureUrl(src: string): string {
  return src.startsWith(`${site.origin}/`) ? src : src.replace(/^http:/i, 'https:')
}

/** The picture of a listing. Shows a placeholder if there is no picture or the picture fails to load. */
export function Picture({ src, alt, isEager = false, isMain = false, fit = 'cover', shown = 'card', onBroken }: Props) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null)
  const image = useRef<HTMLImageElement>(null)
  const reportBroken = useEffectEvent(() => onBroken?.())
  useEffect(() => {
    // Checks on mount whether the picture is broken, because a picture in prerendered HTML may have failed to load before
    // React attached `onError`.
    if (image.current?.complete !== true || image.current.naturalWidth !== 0) return
    setBrokenSrc(src ?? null)
    reportBroken()
  }, [src])
  if (!src) {
    return (
      <div className={classes.placeholder}>
        <IconBox stroke={1.2} aria-hidden="true" />
        <VisuallyHidden>No picture</VisuallyHidden>
      </div>
    )
  }
  if (brokenSrc === src) {
    return (
      <div className={classes.placeholder}>
        <IconPhotoOff stroke={1.2} aria-hidden="true" />
        <VisuallyHidden>Photo unavailable</VisuallyHidden>
      </div>
    )
  }
  const srcSet = srcSetOf(src, site.origin)
  return (
    <img
      ref={image}
      className={classes.picture}
      data-fit={fit}
      sizes={srcSet === undefined ? undefined : displayWidths[shown]}
      srcSet={srcSet}
      src={toSecureUrl(src)}
      alt={alt}
      loading={isEager || isMain ? 'eager' : 'lazy'}
      fetchPriority={isMain ? 'high' : undefined}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => {
        setBrokenSrc(src)
        onBroken?.()
      }}
    />
  )
}
