import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useRestoreFocus } from '../hooks/use-restore-focus.ts'
import classes from './Dialog.module.css'

interface Props {
  title: string
  opened: boolean
  onClose: () => void
  closeOnClickOutside?: boolean
  fullScreen?: boolean
  children: ReactNode
}

/**
 * A modal dialog. CSS (base.css) prevents the page behind it from scrolling. Mantine's scroll lock is not used, because it
 * creates a <style> element, which the Content-Security-Policy forbids. Modal.Header is not used, because its <header> would
 * be a second banner landmark.
 */
export function Dialog({ title, children, ...root }: Props) {
  useRestoreFocus()
  return (
    <Modal.Root
      classNames={{ content: classes.content, body: classes.body }}
      centered
      xOffset="0.75rem"
      yOffset="1rem"
      lockScroll={false}
      transitionProps={{ duration: 120, transition: 'fade' }}
      {...root}
    >
      <Modal.Overlay color="var(--shade)" backgroundOpacity={1} />
      <Modal.Content>
        <div className={classes.head}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close dialog" size={44} iconSize={22} />
        </div>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
