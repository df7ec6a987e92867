import { IconBox, IconPhotoOff } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { site } from '../../api/client/site.ts'
import type { PictureFacts } from '../../api/client/types.ts'
import { sizesOf, sourcesOf, type Place } from '../../rules/pictures.ts'
import { PictureGround } from './PictureGround.tsx'
import { VisuallyHidden } from '../controls/VisuallyHidden.tsx'
import classes from './Picture.module.css'

interface Props {
  src: string | null | undefined
  /** The files and dimensions of an uploaded picture. */
  facts?: PictureFacts | null
  alt: string
  isEager?: boolean
  /** Whether this picture is the main picture of the page, which is fetched with high priority. */
  isMain?: boolean
  fit?: 'cover' | 'contain'
  /** Where the picture is shown, which determines its width. */
  shown?: Place
  onLoaded?: () => void
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

type Status = 'loading' | 'loaded' | 'broken'

/** Tracks the loading of a picture. A change of `src` resets the status to `loading`. */
function useStatus({ src, onLoaded, onBroken }: Pick<Props, 'src' | 'onLoaded' | 'onBroken'>) {
  const [known, setKnown] = useState<{ src: typeof src; status: Status }>({ src, status: 'loading' })
  const image = useRef<HTMLImageElement>(null)
  const settle = (status: Status) => {
    setKnown({ src, status })
    if (status === 'broken') onBroken?.()
    if (status === 'loaded') onLoaded?.()
  }
  const settleIfComplete = useEffectEvent((shown: typeof src) => {
    if (!shown || image.current?.complete !== true) return
    settle(image.current.naturalWidth === 0 ? 'broken' : 'loaded')
  })
  // Checks the picture on mount, because a picture in prerendered HTML may have loaded or failed before React attached
  // its listeners.
  useEffect(() => settleIfComplete(src), [src])
  return { image, status: known.src === src ? known.status : 'loading', settle }
}

function Placeholder({ icon: Icon, text }: { icon: typeof IconBox; text: string }) {
  return (
    <div className={classes.placeholder}>
      <Icon stroke={1.2} aria-hidden="true" />
      <VisuallyHidden>{text}</VisuallyHidden>
    </div>
  )
}

/** The picture of a listing. Shows a placeholder if there is no picture or the picture fails to load. */
export function Picture({ src, facts = null, alt, fit = 'cover', shown = 'card', ...others }: Props) {
  const { image, status, settle } = useStatus({ src, ...others })
  if (!src) return <Placeholder icon={IconBox} text="No picture" />
  if (status === 'broken') return <Placeholder icon={IconPhotoOff} text="Photo unavailable" />
  const { isEager = false, isMain = false } = others
  const sources = facts === null ? [] : sourcesOf(facts)
  const usual = sources.at(-1)
  const sizes = facts === null ? undefined : sizesOf(facts, shown)
  return (
    <span className={classes.frame}>
      {/* Outside of <picture>: Chrome preloads the JPEG as well if <picture> contains an <svg>. */}
      {facts !== null && status === 'loading' && <PictureGround facts={facts} fit={fit} />}
      <picture>
        {sources.slice(0, -1).map(({ type, srcSet }) => (
          <source key={type} type={type} srcSet={srcSet} sizes={sizes} />
        ))}
        <img
          ref={image}
          className={classes.picture}
          data-fit={fit}
          data-ground={facts === null || undefined}
          width={facts?.width}
          height={facts?.height}
          sizes={sizes}
          srcSet={usual?.srcSet}
          src={toSecureUrl(src)}
          alt={alt}
          loading={isEager || isMain ? 'eager' : 'lazy'}
          fetchPriority={isMain ? 'high' : undefined}
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => settle('loaded')}
          onError={() => settle('broken')}
        />
      </picture>
    </span>
  )
}
