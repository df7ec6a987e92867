import { ActionIcon, Avatar, Button, Input, InputWrapper, Skeleton, createTheme } from '@mantine/core'
import classes from './theme.module.css'

/** Styles are in theme.module.css and tokens.css; Mantine provides behavior. */
export const theme = createTheme({
  fontFamily: 'var(--font)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ classNames: { root: classes.button }, defaultProps: { variant: 'filled', size: 'md' } }),
    ActionIcon: ActionIcon.extend({
      classNames: { root: classes.icon },
      defaultProps: { variant: 'subtle', size: 44 },
    }),
    Avatar: Avatar.extend({ classNames: { placeholder: classes.avatar } }),
    // Checkbox.extend is not used, because it would add the code of Checkbox to the first load although only one page uses
    // it.
    Checkbox: { classNames: { input: classes.checkbox } },
    Input: Input.extend({
      classNames: { wrapper: classes.inputWrapper, input: classes.input },
      defaultProps: { size: 'md' },
    }),
    InputWrapper: InputWrapper.extend({
      classNames: { label: classes.label, description: classes.description, error: classes.error },
      defaultProps: { size: 'md' },
    }),
    Skeleton: Skeleton.extend({ classNames: { root: classes.skeleton } }),
  },
})
