import type { ShownPicture } from '../../../rules/pictures.ts'
import { Picture } from '../../../ui/listing/Picture.tsx'
import classes from './Gallery.module.css'

interface Props {
  images: ShownPicture[]
  shown: number
  onShow: (index: number) => void
}

/**
 * Returns a React key for a picture. A URL can occur more than once, so the key also contains the number of earlier
 * occurrences.
 */
function keyOf(images: ShownPicture[], index: number): string {
  const earlier = images.slice(0, index).filter(({ url }) => url === images[index]?.url)
  return `${earlier.length} ${images[index]?.url}`
}

export function Thumbnails({ images, shown, onShow }: Props) {
  return (
    <ul className={classes.strip} aria-label="Thumbnails">
      {images.map((image, index) => (
        <li key={keyOf(images, index)}>
          <button
            type="button"
            className={classes.thumbnail}
            aria-label={`Show picture ${index + 1}`}
            aria-current={index === shown || undefined}
            onClick={() => onShow(index)}
          >
            <Picture src={image.url} facts={image.facts} alt="" shown="tile" />
          </button>
        </li>
      ))}
    </ul>
  )
}
