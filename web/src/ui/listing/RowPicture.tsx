import { Picture } from './Picture.tsx'
import classes from './RowPicture.module.css'

interface Props {
  src: string | null | undefined
  /** Whether the picture has the height of the row on wide screens. The row must not have padding around it. */
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
