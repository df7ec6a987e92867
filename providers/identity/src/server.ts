import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { readEmail, subjectOf } from './people.ts'
import { expiredPage, pickerPage } from './picker.ts'

const maxFormBytes = 4_096

/** Serves the picker; the provider handles all other requests. */
export function createIdentityServer(provider: Provider, publicOrigin: string): Server {
  const callback = provider.callback()
  return createServer((request, response) => {
    removeSessionCookie(request)
    if (request.url?.startsWith('/interaction/')) handleInteraction(request, response)
    else void callback(request, response)
  })

  function handleInteraction(request: IncomingMessage, response: ServerResponse): void {
    signIn(provider, request, response).catch(() => sendPage(response, 400, expiredPage(publicOrigin), publicOrigin))
  }

  async function signIn(oidc: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params, uid } = await oidc.interactionDetails(request, response)
    const isForm = request.method === 'POST'
    const given = isForm ? (await readForm(request)).get('email') : params['login_hint']
    const email = typeof given === 'string' ? readEmail(given) : undefined
    if (email === undefined)
      return sendPage(
        response,
        isForm ? 422 : 200,
        pickerPage(`/interaction/${uid}`, isForm ? 'That is no email address.' : ''),
        publicOrigin,
      )
    await oidc.interactionFinished(
      request,
      response,
      { login: { accountId: subjectOf(email), remember: false } },
      { mergeWithLastSubmission: false },
    )
  }
}

// Each sign-in is independent: with another user's session the library would first show a sign-out page.
function removeSessionCookie(request: IncomingMessage): void {
  const remaining = request.headers.cookie?.split('; ').filter((cookie) => !cookie.startsWith('_session_'))
  if (remaining) request.headers.cookie = remaining.join('; ')
}

function sendPage(response: ServerResponse, status: number, html: string, publicOrigin: string): void {
  // Browsers apply form-action to the redirects after a form, too, up to the page that started the sign-in.
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self' ${publicOrigin}; frame-ancestors 'none'; base-uri 'none'`
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
  })
  response.end(html)
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = ''
  for await (const chunk of request) {
    body += String(chunk)
    if (body.length > maxFormBytes) throw new Error('The form is too long.')
  }
  return new URLSearchParams(body)
}
