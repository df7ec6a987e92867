import 'react-image-crop/dist/ReactCrop.css'
import { useRef, useState } from 'react'
import { ReactCrop, type PercentCrop } from 'react-image-crop'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { minSide, photoErrors } from '../uploads/photo.ts'
import type { Area } from '../uploads/prepare-photo.ts'
import classes from './Photos.module.css'

interface Props {
  src: string
  onCrop: (area: Area) => void
  onClose: () => void
}

const initial: PercentCrop = { unit: '%', x: 10, y: 10, width: 80, height: 80 }

const labels = {
  cropArea: 'Move the selection with the arrow keys',
  nwDragHandle: 'Move the top left corner with the arrow keys',
  nDragHandle: 'Move the top edge with the up and down arrow keys',
  neDragHandle: 'Move the top right corner with the arrow keys',
  eDragHandle: 'Move the right edge with the left and right arrow keys',
  seDragHandle: 'Move the bottom right corner with the arrow keys',
  sDragHandle: 'Move the bottom edge with the up and down arrow keys',
  swDragHandle: 'Move the bottom left corner with the arrow keys',
  wDragHandle: 'Move the left edge with the left and right arrow keys',
}

/** Returns whether the selected part of the photo has enough pixels for an upload. */
function isLargeEnough(crop: PercentCrop, { naturalWidth, naturalHeight }: HTMLImageElement): boolean {
  return (crop.width / 100) * naturalWidth >= minSide && (crop.height / 100) * naturalHeight >= minSide
}

export function CropDialog({ src, onCrop, onClose }: Props) {
  const image = useRef<HTMLImageElement>(null)
  const [crop, setCrop] = useState(initial)
  const [isTooSmall, setIsTooSmall] = useState(false)
  function apply() {
    if (image.current === null || !isLargeEnough(crop, image.current)) return setIsTooSmall(true)
    onCrop({ x: crop.x / 100, y: crop.y / 100, width: crop.width / 100, height: crop.height / 100 })
  }
  return (
    <Dialog opened onClose={onClose} title="Crop photo">
      <div className={classes.crop}>
        <ReactCrop
          className={classes.cropped}
          crop={crop}
          ariaLabels={labels}
          keepSelection
          onChange={(_pixels, percent) => setCrop(percent)}
        >
          <img ref={image} src={src} alt="" />
        </ReactCrop>
      </div>
      <p role="alert" className={classes.error}>
        {isTooSmall && photoErrors.tooSmall}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={apply}>Crop</Button>
      </div>
    </Dialog>
  )
}
