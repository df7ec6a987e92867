import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Dialog } from '../../../ui/feedback/Dialog.tsx'
import { Picture } from '../../../ui/listing/Picture.tsx'
import classes from './Zoom.module.css'

interface Props {
  src: string | undefined
  alt: string
  onClose: () => void
  onStep: ((by: 1 | -1) => void) | null
}

export function Zoom({ src, alt, onClose, onStep }: Props) {
  return (
    <Dialog opened onClose={onClose} title="Picture" fullScreen>
      <div className={classes.zoomed}>
        <div className={classes.picture}>
          <Picture src={src} alt={alt} fit="contain" shown="window" isEager />
        </div>
        {onStep !== null && (
          <div className={classes.buttons}>
            <ActionIcon aria-label="Previous picture" onClick={() => onStep(-1)}>
              <IconChevronLeft aria-hidden="true" />
            </ActionIcon>
            <ActionIcon aria-label="Next picture" onClick={() => onStep(1)}>
              <IconChevronRight aria-hidden="true" />
            </ActionIcon>
          </div>
        )}
      </div>
    </Dialog>
  )
}
