import classes from './Loader.module.css'

interface Props {
  /** Width and height in CSS pixels. */
  size?: number
  type?: 'ring' | 'dots'
  className?: string
  'aria-label'?: string
  'aria-hidden'?: 'true'
}

/** An animation in the text color that shows that work is in progress. */
export function Loader({ size = 36, type = 'ring', className = '', ...aria }: Props) {
  const role = aria['aria-label'] === undefined ? undefined : 'img'
  return <span {...aria} role={role} className={`${classes[type]} ${className}`} style={{ fontSize: size }} />
}
