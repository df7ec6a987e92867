import { expect, type Locator } from '@playwright/test'

/** Waits until an element is visible, and returns its position and size in CSS pixels. */
export async function boxOf(element: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await expect(element).toBeVisible()
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element has no box.')
  return box
}
