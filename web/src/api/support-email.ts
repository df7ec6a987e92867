/** The address the web server was set up with; it fills in this meta element. */
export const supportEmail =
  document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content ?? 'support@example.com'
