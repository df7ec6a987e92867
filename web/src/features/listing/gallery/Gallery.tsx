import { IconChevronLeft, IconChevronRight, IconZoomIn } from '@tabler/icons-react'
import { lazy, Suspense, useState, type KeyboardEvent } from 'react'
import { ActionIcon } from '../../../ui/controls/ActionIcon.tsx'
import type { ShownPicture } from '../../../rules/pictures.ts'
import { Picture } from '../../../ui/listing/Picture.tsx'
import { Thumbnails } from './Thumbnails.tsx'
import { useSwipe } from './use-swipe.ts'
import classes from './Gallery.module.css'

const Zoom = lazy(async () => ({ default: (await import('./Zoom.tsx')).Zoom }))

interface MainPictureProps {
  picture: ShownPicture | undefined
  alt: string
  onZoom: () => void
  onStep: ((by: 1 | -1) => void) | null
}

function MainPicture({ picture, alt, onZoom, onStep }: MainPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const isBroken = picture !== undefined && picture.url === brokenUrl
  const swipe = useSwipe((by) => onStep?.(by))
  const stepByKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') onStep?.(-1)
    if (event.key === 'ArrowRight') onStep?.(1)
  }
  return (
    <div className={classes.viewer} {...swipe}>
      {/* Without a picture to enlarge, the button still handles the arrow keys. */}
      <button
        type="button"
        className={classes.main}
        aria-disabled={isBroken || undefined}
        aria-label={isBroken ? `Photo unavailable: ${alt}` : undefined}
        onKeyDown={stepByKey}
        onClick={isBroken ? undefined : onZoom}
      >
        <Picture
          src={picture?.url}
          facts={picture?.facts}
          alt={alt}
          fit="contain"
          shown="gallery"
          isMain
          onLoaded={() => setBrokenUrl(undefined)}
          onBroken={() => setBrokenUrl(picture?.url)}
        />
        <span className={classes.zoom}>
          <IconZoomIn size={20} aria-hidden="true" />
        </span>
      </button>
      {onStep !== null && (
        <>
          <ActionIcon
            className={classes.previous}
            aria-label="Previous picture"
            onKeyDown={stepByKey}
            onClick={() => onStep(-1)}
          >
            <IconChevronLeft size={22} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            className={classes.next}
            aria-label="Next picture"
            onKeyDown={stepByKey}
            onClick={() => onStep(1)}
          >
            <IconChevronRight size={22} aria-hidden="true" />
          </ActionIcon>
        </>
      )}
    </div>
  )
}

interface Props {
  title: string
  images: ShownPicture[]
}

export function Gallery({ title, images }: Props) {
  const [shown, setShown] = useState(0)
  const [isZoomed, setIsZoomed] = useState(false)
  const hasSeveral = images.length > 1
  // Limits the index, because the listing may have fewer pictures after a change while the page is open.
  const index = Math.min(shown, Math.max(images.length - 1, 0))
  const step = hasSeveral ? (by: 1 | -1) => setShown((index + by + images.length) % images.length) : null
  const usualAlt = hasSeveral ? `${title}, photo ${index + 1} of ${images.length}` : title
  const alt = images[index]?.alt || usualAlt
  if (images.length === 0) {
    return (
      <div className={classes.viewer}>
        <Picture src={null} alt="" />
      </div>
    )
  }
  return (
    <section aria-label="Pictures">
      <MainPicture picture={images[index]} alt={alt} onZoom={() => setIsZoomed(true)} onStep={step} />
      {hasSeveral && <Thumbnails images={images} shown={index} onShow={setShown} />}
      <Suspense>
        {isZoomed && (
          <Zoom
            images={images}
            shown={index}
            alt={alt}
            onShow={setShown}
            onStep={step}
            onClose={() => setIsZoomed(false)}
          />
        )}
      </Suspense>
    </section>
  )
}
