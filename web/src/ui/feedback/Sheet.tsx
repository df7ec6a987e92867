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
  /** Whether the panel is as high as its content. */
  isFitted?: boolean
  children: ReactNode
}

/** The width of a panel on the right, and the height of a panel at the bottom. */
const sizes = { right: '20rem', bottom: '27rem' }

/**
 * A panel that slides in over the page. Mantine's scroll lock is disabled, because the Content-Security-Policy forbids
 * its <style> element.
 */
export function Sheet({ title, from, isFitted, children, ...root }: Props) {
  useRestoreFocus()
  return (
    <MantineRoot>
      <Drawer.Root
        classNames={{ content: classes.content, body: classes.body }}
        position={from}
        size={sizes[from]}
        lockScroll={false}
        transitionProps={{ duration: 160 }}
        {...root}
      >
        <Drawer.Overlay color="var(--shade)" backgroundOpacity={1} />
        <Drawer.Content data-fitted={isFitted || undefined}>
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
