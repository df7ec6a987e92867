type Site = { origin: string; supportEmail: string }

/** What only the web server's settings know: a page carries it, and where pages are drawn ahead it is set at start. */
export const site: Site =
  typeof document === 'undefined'
    ? { origin: '', supportEmail: '' }
    : {
        origin: window.location.origin,
        supportEmail:
          document.querySelector<HTMLMetaElement>('meta[name="support-email"]')?.content ?? 'support@example.com',
      }
