const pressed = ':is(button, a, label, input, select, textarea):active'

/**
 * Validates a field that lost the focus. If the user is pressing another control, waits for the click: an error message
 * that appears before the click would move the control away from the pointer, and the click would be lost.
 */
export function afterPress(validate: () => void): void {
  if (document.querySelector(pressed) === null) validate()
  else window.addEventListener('click', validate, { once: true })
}
