// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { PictureGround } from './PictureGround.tsx'

const facts = { base: '', widths: [], formats: [], width: 4, height: 3, thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }
const ground = <PictureGround facts={facts} fit="cover" />

afterEach(cleanup)

it('draws the thumbhash once its code has loaded, and later pictures in their first render', async () => {
  expect(renderToStaticMarkup(ground)).not.toContain('<image')
  const { container } = render(ground)
  await waitFor(() => expect(container.querySelector('image')?.getAttribute('href')).toMatch(/^data:image\/png/))
  expect(renderToStaticMarkup(ground)).toContain('<image href="data:image/png')
})
