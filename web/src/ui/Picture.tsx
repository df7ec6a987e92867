import { VisuallyHidden } from '@mantine/core'
import { IconBox, IconPhotoOff } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { site } from '../api/site.ts'
import classes from './Picture.module.css'

type Props = {
  src: string | null | undefined
  alt: string
  isEager?: boolean
  /** The largest on the page: fetched before anything else. */
  isMain?: boolean
  fit?: 'cover' | 'contain'
}

/** Over plain http a picture of another host would be blocked; most have it over https too. */
function safeAddress(src: string): string {
  return src.startsWith(`${site.origin}/`) ? src : src.replace(/^http:/i, 'https:')
}

/** A listing's picture: a box where it has none, a placeholder where it does not load. */
export function Picture({ src, alt, isEager = false, isMain = false, fit = 'cover' }: Props) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null)
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    // Drawn by the server, it may have failed before anybody listened.
    if (image.current?.complete === true && image.current.naturalWidth === 0) setBrokenSrc(src ?? null)
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
        <VisuallyHidden>Picture not available</VisuallyHidden>
      </div>
    )
  }
  return (
    <img
      ref={image}
      className={classes.picture}
      data-fit={fit}
      src={safeAddress(src)}
      alt={alt}
      loading={isEager || isMain ? 'eager' : 'lazy'}
      fetchPriority={isMain ? 'high' : undefined}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenSrc(src)}
    />
  )
}
