import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import classes from './Button.module.css'
import { Loader } from './Loader.tsx'

export interface ButtonLooks {
  variant?: 'filled' | 'default' | 'subtle'
  size?: 'sm' | 'md' | 'lg'
  fullWidth?: boolean
  leftSection?: ReactNode
}

/** A button. With `loading`, it is disabled and shows a loader instead of its content. */
export type ButtonProps = ButtonLooks & ComponentPropsWithRef<'button'> & { loading?: boolean }

function attributesOf({ variant = 'filled', size = 'md', fullWidth, leftSection }: ButtonLooks, className?: string) {
  return {
    className: className === undefined ? classes.button : `${classes.button} ${className}`,
    'data-variant': variant,
    'data-size': size,
    'data-block': fullWidth || undefined,
    'data-with-left-section': leftSection ? true : undefined,
  }
}

function Content({ leftSection, children }: { leftSection: ReactNode; children: ReactNode }) {
  return (
    <span className={classes.inner}>
      {leftSection && <span className={classes.section}>{leftSection}</span>}
      <span className={classes.label}>{children}</span>
    </span>
  )
}

export function Button({
  variant,
  size,
  fullWidth,
  leftSection,
  loading,
  className,
  children,
  type = 'button',
  ...button
}: ButtonProps) {
  return (
    <button
      {...button}
      {...attributesOf({ variant, size, fullWidth, leftSection }, className)}
      type={type}
      disabled={button.disabled === true || loading === true}
      data-loading={loading || undefined}
    >
      {loading && (
        <span className={classes.loader}>
          <Loader size={22} aria-hidden="true" />
        </span>
      )}
      <Content leftSection={leftSection}>{children}</Content>
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  fullWidth,
  leftSection,
  className,
  children,
  ...link
}: ButtonLooks & LinkProps) {
  return (
    <Link {...link} {...attributesOf({ variant, size, fullWidth, leftSection }, className)}>
      <Content leftSection={leftSection}>{children}</Content>
    </Link>
  )
}
