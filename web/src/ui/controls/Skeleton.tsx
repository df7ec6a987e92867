import classes from './Skeleton.module.css'

interface Props {
  height?: number
  width?: string
  className?: string
}

/** A pulsing area in place of content that is loading. `height` is in CSS pixels. */
export function Skeleton({ height, width, className = '' }: Props) {
  return <div className={`${classes.skeleton} ${className}`} style={{ height, width }} />
}
