import { ActionIcon, Button, Input, InputWrapper, Modal, Skeleton, createTheme } from '@mantine/core'
import classes from './theme.module.css'

/** Looks live in theme.module.css and tokens.css; Mantine brings behaviour. */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ classNames: { root: classes.button }, defaultProps: { size: 'md' } }),
    ActionIcon: ActionIcon.extend({
      classNames: { root: classes.icon },
      defaultProps: { variant: 'subtle', size: 44 },
    }),
    Input: Input.extend({ classNames: { input: classes.input }, defaultProps: { size: 'md' } }),
    InputWrapper: InputWrapper.extend({
      classNames: { label: classes.label, description: classes.description, error: classes.error },
      defaultProps: { size: 'md' },
    }),
    Modal: Modal.extend({
      classNames: {
        content: classes.dialog,
        header: classes.dialogHeader,
        title: classes.dialogTitle,
        body: classes.dialogBody,
      },
    }),
    Skeleton: Skeleton.extend({ classNames: { root: classes.skeleton } }),
  },
})
