import type { ComponentPropsWithRef } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import classes from './ActionIcon.module.css'

export interface ActionIconLooks {
  /** Width and height in CSS pixels. */
  size?: 32 | 36 | 40 | 44 | 52
}

function attributesOf(size: ActionIconLooks['size'] = 44, className?: string) {
  return {
    className: className === undefined ? classes.icon : `${classes.icon} ${className}`,
    'data-variant': 'subtle',
    'data-size': size,
  }
}

/** A round button that contains only an icon. It needs an `aria-label`. */
export function ActionIcon({
  size,
  className,
  type = 'button',
  ...button
}: ActionIconLooks & ComponentPropsWithRef<'button'>) {
  return <button {...button} {...attributesOf(size, className)} type={type} />
}

/** A link that looks like an ActionIcon. */
export function ActionIconLink({ size, className, ...link }: ActionIconLooks & LinkProps) {
  return <Link {...link} {...attributesOf(size, className)} />
}
