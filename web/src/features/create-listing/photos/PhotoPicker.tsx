import { IconCamera, IconPhotoPlus } from '@tabler/icons-react'
import { useRef, useState, type ChangeEvent, type DragEvent } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { acceptedTypes } from '../uploads/photo.ts'
import classes from './Photos.module.css'

export const choosePhotosId = 'choose-photos'

interface Props {
  isFull: boolean
  onFiles: (files: File[]) => void
}

function useFileDialog(onFiles: Props['onFiles']) {
  const input = useRef<HTMLInputElement>(null)
  const field = {
    ref: input,
    type: 'file',
    hidden: true,
    accept: acceptedTypes.join(','),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      onFiles([...(event.currentTarget.files ?? [])])
      // Clears the field. Otherwise, choosing the same file again would not cause a change event.
      event.currentTarget.value = ''
    },
  } as const
  return { field, open: () => input.current?.click() }
}

/** Buttons that open the camera and the file dialog, and an area where files can be dropped. */
export function PhotoPicker({ isFull, onFiles }: Props) {
  const [isOver, setIsOver] = useState(false)
  const camera = useFileDialog(onFiles)
  const files = useFileDialog(onFiles)
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    if (!isFull && event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files])
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Keyboard users can use the buttons instead.
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(event.dataTransfer.types.includes('Files'))
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input {...camera.field} capture="environment" />
      <input {...files.field} multiple />
      <Button
        className={classes.camera}
        disabled={isFull}
        leftSection={<IconCamera size={18} aria-hidden="true" />}
        onClick={camera.open}
      >
        Take photo
      </Button>
      <Button
        id={choosePhotosId}
        variant="default"
        disabled={isFull}
        leftSection={<IconPhotoPlus size={18} aria-hidden="true" />}
        onClick={files.open}
      >
        Choose photos
      </Button>
      <span className={classes.hint}>or drop them here</span>
    </div>
  )
}
