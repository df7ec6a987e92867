import { Picture } from './Picture.tsx'
import classes from './RowPicture.module.css'

interface Props {
  src: string | null | undefined
  /** Whether the picture fills the row's height on wide screens. The row then has no padding at this side. */
  isFullHeight?: boolean
}

/** The picture of a listing at the start of a row, as a small square. The row contains the title as text. */
export function RowPicture({ src, isFullHeight }: Props) {
  return (
    <div className={classes.picture} data-full-height={isFullHeight || undefined}>
      <Picture src={src} alt="" />
    </div>
  )
}
