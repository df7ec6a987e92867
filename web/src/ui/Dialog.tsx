import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusBack } from './use-focus-back.ts'
import classes from './Dialog.module.css'

type Props = {
  title: string
  opened: boolean
  onClose: () => void
  closeOnClickOutside?: boolean
  fullScreen?: boolean
  children: ReactNode
}

/**
 * One question. The page behind is locked by CSS, not by a <style> element made at run time (base.css); the head is no
 * Modal.Header, whose <header> counts as a second banner of the page.
 */
export function Dialog({ title, children, ...root }: Props) {
  useFocusBack()
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
