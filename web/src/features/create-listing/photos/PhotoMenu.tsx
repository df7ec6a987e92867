import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { isUpload, type DraftImage } from '../draft-image.ts'
import type { PhotoActions } from './PhotoTile.tsx'
import classes from './Photos.module.css'

const CropDialog = lazy(async () => ({ default: (await import('./CropDialog.tsx')).CropDialog }))

interface Props {
  image: DraftImage
  /** URL of the shown photo; null until the photo is decoded. */
  preview: string | null
  index: number
  count: number
  actions: PhotoActions
}

/** The menu of a photo. It offers without dragging what dragging does (WCAG 2.5.7). */
export function PhotoMenu({ image, preview, index, count, actions }: Props) {
  const [isCropping, setIsCropping] = useState(false)
  const canChange = isUpload(image) && preview !== null
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon className={classes.menu} size={32} aria-label={`Options for photo ${index + 1}`}>
            <IconDots size={18} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {index > 0 && <Menu.Item onClick={() => actions.move(0)}>Make main photo</Menu.Item>}
          {index > 0 && <Menu.Item onClick={() => actions.move(index - 1)}>Move left</Menu.Item>}
          {index < count - 1 && <Menu.Item onClick={() => actions.move(index + 1)}>Move right</Menu.Item>}
          {canChange && <Menu.Item onClick={() => setIsCropping(true)}>Crop</Menu.Item>}
          {canChange && <Menu.Item onClick={() => actions.change({ isRotated: true })}>Rotate</Menu.Item>}
          <Menu.Item onClick={actions.remove}>Remove</Menu.Item>
        </Menu.Dropdown>
      </Menu>
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
    </>
  )
}
