import { Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useRestoreFocus } from '../hooks/use-restore-focus.ts'
import { ActionIcon } from '../controls/ActionIcon.tsx'
import { MantineRoot } from './MantineRoot.tsx'
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
 * A modal dialog. Mantine's scroll lock is disabled, because the Content-Security-Policy forbids its <style> element;
 * base.css prevents scrolling instead.
 */
export function Dialog({ title, children, ...root }: Props) {
  useRestoreFocus()
  return (
    <MantineRoot>
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
          {/* Modal.Header is not used, because its <header> would be a second banner landmark. */}
          <div className={classes.head}>
            <Modal.Title>{title}</Modal.Title>
            <ActionIcon className={classes.close} aria-label="Close dialog" onClick={root.onClose}>
              <IconX size={22} stroke={1.7} aria-hidden="true" />
            </ActionIcon>
          </div>
          <Modal.Body>{children}</Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </MantineRoot>
  )
}
