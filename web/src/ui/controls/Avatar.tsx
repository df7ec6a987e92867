import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './Avatar.module.css'

interface Props {
  name: string
  /** The alternative text of the picture; without it, the avatar is hidden from screen readers. */
  alt?: string
  src?: string | null
  /** Width and height in CSS pixels. */
  size: number
  className?: string
}

/** Returns the initials of the first two words, or the first two letters of a single word. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => Array.from(word))
  const [first = [], second] = words
  const letters = second === undefined ? first.slice(0, 2) : [first[0], second[0]]
  return letters.join('').toUpperCase()
}

/** The picture of a user. Without a picture, shows the initials, or an icon if the name is empty. */
export function Avatar({ name, alt = '', src, size, className = '' }: Props) {
  const [brokenSrc, setBrokenSrc] = useState<string | null>(null)
  const hasPicture = src !== undefined && src !== null && src !== '' && src !== brokenSrc
  return (
    <span
      className={`${classes.avatar} ${className}`}
      style={{ fontSize: size }}
      aria-hidden={alt === '' ? true : undefined}
    >
      {hasPicture ? (
        <img className={classes.picture} src={src} alt={alt} onError={() => setBrokenSrc(src)} />
      ) : (
        <span className={classes.initials} title={alt === '' ? undefined : alt}>
          {initialsOf(name) || <IconUser size="1em" stroke={1.5} />}
        </span>
      )}
    </span>
  )
}
