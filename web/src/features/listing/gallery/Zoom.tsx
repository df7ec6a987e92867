import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionIcon } from '../../../ui/controls/ActionIcon.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type { ShownPicture } from '../../../rules/pictures.ts'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { Thumbnails } from './Thumbnails.tsx'
import { ZoomStage, type Point } from './ZoomStage.tsx'
import classes from './Zoom.module.css'

interface Props {
  images: ShownPicture[]
  shown: number
  alt: string
  onShow: (index: number) => void
  onStep: ((by: 1 | -1) => void) | null
  onClose: () => void
}

const middle: Point = { x: 0.5, y: 0.5 }

/**
 * Shows a picture on the whole screen, where the user can enlarge it. After a change to another picture, that picture
 * is shown at its normal size.
 */
export function Zoom({ images, shown, alt, onShow, onStep, onClose }: Props) {
  const [enlargedAt, setEnlargedAt] = useState<Point | null>(null)
  const isEnlarged = enlargedAt !== null
  const step = (by: 1 | -1) => {
    setEnlargedAt(null)
    onStep?.(by)
  }
  const show = (index: number) => {
    setEnlargedAt(null)
    onShow(index)
  }
  return (
    <Dialog opened onClose={onClose} title="Picture" fullScreen>
      <div className={classes.zoomed}>
        <ZoomStage
          key={shown}
          picture={images[shown]}
          alt={alt}
          enlargedAt={enlargedAt}
          onToggle={(point) => setEnlargedAt(isEnlarged ? null : point)}
        />
        <div className={classes.buttons}>
          {onStep !== null && (
            <ActionIcon aria-label="Previous picture" onClick={() => step(-1)}>
              <IconChevronLeft aria-hidden="true" />
            </ActionIcon>
          )}
          <Button
            variant="default"
            leftSection={isEnlarged ? <IconZoomOut aria-hidden="true" /> : <IconZoomIn aria-hidden="true" />}
            onClick={() => setEnlargedAt(isEnlarged ? null : middle)}
          >
            {isEnlarged ? 'Zoom out' : 'Zoom in'}
          </Button>
          {onStep !== null && (
            <ActionIcon aria-label="Next picture" onClick={() => step(1)}>
              <IconChevronRight aria-hidden="true" />
            </ActionIcon>
          )}
        </div>
        {onStep !== null && (
          <div className={classes.thumbnails}>
            <Thumbnails images={images} shown={shown} onShow={show} />
          </div>
        )}
      </div>
    </Dialog>
  )
}
