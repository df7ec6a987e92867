import { countCharacters } from '../../../rules/text.ts'
import { TextInput } from '../../../ui/controls/TextInput.tsx'
import { characterLimit } from '../../../ui/inputs/character-limit.ts'
import { maxAltLength, type DraftImage } from '../draft-image.ts'
import type { PhotoSectionProps } from './photo-props.ts'
import classes from './Photos.module.css'

type Props = Pick<PhotoSectionProps, 'title' | 'images' | 'onImages'>

/** Fields for the optional alt texts of the photos. */
export function AltTexts({ title, images, onImages }: Props) {
  const change = ({ key }: DraftImage, alt: string) =>
    onImages((current) => current.map((image) => (image.key === key ? { ...image, alt } : image)))
  const isTooLong = ({ alt }: DraftImage) => countCharacters(alt) > maxAltLength
  return (
    <details className={classes.altTexts} open={images.some(isTooLong) || undefined}>
      <summary>Describe photos for people who can't see them (optional)</summary>
      {images.map((image, index) => (
        <TextInput
          key={image.key}
          {...characterLimit({ name: 'Alt text', text: image.alt, max: maxAltLength })}
          // On submit, the form focuses the first input with the name of the invalid field, which is `images`.
          name={isTooLong(image) ? 'images' : undefined}
          label={`Alt text of photo ${index + 1}`}
          placeholder={`${title.trim() || 'Title'}, photo ${index + 1} of ${images.length}`}
          value={image.alt}
          onChange={(event) => change(image, event.currentTarget.value)}
        />
      ))}
    </details>
  )
}
