import { Modal, type ModalProps } from '@mantine/core'

/** One question. The page behind is locked by CSS, not by a <style> element made at run time (base.css). */
export function Dialog(props: ModalProps) {
  return (
    <Modal
      centered
      lockScroll={false}
      overlayProps={{ color: 'var(--shade)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 120, transition: 'fade' }}
      closeButtonProps={{ 'aria-label': 'Close dialog', size: 44 }}
      {...props}
    />
  )
}
