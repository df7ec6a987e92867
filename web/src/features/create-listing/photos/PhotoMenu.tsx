import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { ActionIcon } from '../../../ui/controls/ActionIcon.tsx'
import { isUpload, type DraftImage } from '../draft-image.ts'
import type { PhotoActions } from './photo-props.ts'
import { focusFirstItem, useMenu } from './use-menu.ts'
import classes from './Photos.module.css'

const CropDialog = lazy(async () => ({ default: (await import('./CropDialog.tsx')).CropDialog }))

interface Props {
  image: DraftImage
  /** URL of the shown photo; null until the photo is decoded. */
  preview: string | null
  index: number
  actions: PhotoActions
}

interface Item {
  label: string
  isShown: boolean
  choose: () => void
}

/** The menu of a photo. With it, the user can move the photo without dragging, as WCAG 2.5.7 requires. */
export function PhotoMenu({ image, preview, index, actions }: Props) {
  const [isCropping, setIsCropping] = useState(false)
  const menu = useMenu()
  const canChange = isUpload(image) && preview !== null
  const moveItem = (label: string, to: number): Item => ({
    label,
    isShown: actions.canMoveTo(to),
    choose: () => actions.moveTo(to),
  })
  const items: Item[] = [
    moveItem('Make main photo', 0),
    moveItem('Move left', index - 1),
    moveItem('Move right', index + 1),
    { label: 'Crop', isShown: canChange, choose: () => setIsCropping(true) },
    { label: 'Rotate', isShown: canChange, choose: () => actions.change({ isRotated: true }) },
    { label: 'Remove', isShown: true, choose: actions.remove },
  ]
  const choose = (item: Item) => {
    menu.close()
    item.choose()
  }
  const label = `Options for photo ${index + 1}`
  return (
    <div className={classes.menu} {...menu.root}>
      <ActionIcon {...menu.button} className={classes.control} size={32} aria-label={label}>
        <IconDots size={18} aria-hidden="true" />
      </ActionIcon>
      {menu.isOpen && (
        <div {...menu.list} ref={focusFirstItem} className={classes.items} aria-label={label}>
          {items
            .filter(({ isShown }) => isShown)
            .map((item) => (
              <button
                key={item.label}
                type="button"
                role="menuitem"
                className={classes.item}
                onClick={() => choose(item)}
              >
                {item.label}
              </button>
            ))}
        </div>
      )}
      <Suspense>
        {isCropping && preview !== null && (
          <CropDialog
            src={preview}
            onCrop={(area) => {
              setIsCropping(false)
              actions.change({ area })
            }}
            onClose={() => setIsCropping(false)}
          />
        )}
      </Suspense>
    </div>
  )
}
