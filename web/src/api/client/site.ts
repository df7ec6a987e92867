interface Site {
  origin: string
  supportEmail: string
}

/** Values from the web server's settings. The browser reads them from the page; during prerendering, renderPage sets them. */
export const site: Site =
  typeof document === 'undefined'
    ? { origin: '', supportEmail: '' }
    : {
        origin: window.location.origin,
        supportEmail:
          document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content ?? 'support@example.com',
      }
