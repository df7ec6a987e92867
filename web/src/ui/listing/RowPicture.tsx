import { Picture } from './Picture.tsx'
import classes from './RowPicture.module.css'

interface Props {
  src: string | null | undefined
  /**
   * True if the picture fills its row from top to bottom on wide screens. The row must then have no padding, because
   * padding would leave a gap around the picture.
   */
  isFullHeight?: boolean
}

/** The picture of a listing in a row: a small square. Its alt text is empty because the row shows the title. */
export function RowPicture({ src, isFullHeight }: Props) {
  return (
    <div className={classes.picture} data-full-height={isFullHeight || undefined}>
      <Picture src={src} alt="" />
    </div>
  )
}
