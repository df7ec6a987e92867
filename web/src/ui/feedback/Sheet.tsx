import { Drawer } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useRestoreFocus } from '../hooks/use-restore-focus.ts'
import { ActionIcon } from '../controls/ActionIcon.tsx'
import { MantineRoot } from './MantineRoot.tsx'
import classes from './Sheet.module.css'

interface Props {
  title: string
  opened: boolean
  onClose: () => void
  from: 'right' | 'bottom'
  /** Size of the panel in rem: its height if it slides in from the bottom, its width if from the right. */
  size?: `${number}rem`
  children: ReactNode
}

const sizes = { right: '20rem', bottom: '27rem' }

/**
 * A panel that slides in over the page. Mantine's scroll lock is disabled, because the Content-Security-Policy forbids
 * its <style> element.
 */
export function Sheet({ title, from, size, children, ...root }: Props) {
  useRestoreFocus()
  return (
    <MantineRoot>
      <Drawer.Root
        classNames={{ content: classes.content, body: classes.body }}
        position={from}
        size={size ?? sizes[from]}
        lockScroll={false}
        transitionProps={{ duration: 160 }}
        {...root}
      >
        <Drawer.Overlay color="var(--shade)" backgroundOpacity={1} />
        <Drawer.Content>
          <div className={classes.head}>
            <Drawer.Title>{title}</Drawer.Title>
            <ActionIcon className={classes.close} aria-label={`Close ${title.toLowerCase()}`} onClick={root.onClose}>
              <IconX size={22} stroke={1.7} aria-hidden="true" />
            </ActionIcon>
          </div>
          <Drawer.Body>{children}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </MantineRoot>
  )
}
