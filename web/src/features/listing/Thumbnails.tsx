import { Picture } from '../../ui/Picture.tsx'
import classes from './Gallery.module.css'

type Props = { images: string[]; shown: number; onShow: (index: number) => void }

export function Thumbnails({ images, shown, onShow }: Props) {
  return (
    <ul className={classes.strip} aria-label="Thumbnails">
      {images.map((image, index) => (
        <li key={image}>
          <button
            type="button"
            className={classes.thumbnail}
            aria-label={`Show picture ${index + 1}`}
            aria-current={index === shown || undefined}
            onClick={() => onShow(index)}
          >
            <Picture src={image} alt="" />
          </button>
        </li>
      ))}
    </ul>
  )
}
