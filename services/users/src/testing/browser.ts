import { expectToMatchContractAt, readContract } from '@marketplace/testing/contract.ts'
import type { Instance } from './harness.ts'
import type { TestPerson, TestProvider } from './openid-provider.ts'

export const cookieName = {
  access: 'marketplace_access_8080',
  refresh: 'marketplace_refresh_8080',
  login: 'marketplace_login_8080',
}

const contract = await readContract('users')

/** Opens a client that stores cookies like a browser and checks each response against openapi.json. */
export function openBrowser({ service }: Instance) {
  const cookies = new Map<string, string>()
  async function request(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: object | string | Buffer,
    headers = {},
  ) {
    const access = cookies.get(cookieName.access)
    const response = await service.publicApp.inject({
      method,
      url,
      cookies: Object.fromEntries(cookies),
      // The gateway forwards the access cookie as this header.
      headers: { ...(access !== undefined && { authorization: `Bearer ${access}` }), ...headers },
      ...(body !== undefined && { payload: body }),
    })
    expectToMatchContractAt(contract, method, url, response)
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  return {
    cookies,
    request,
    /** Starts a sign-in and returns the provider's authorization URL. */
    async startSignIn(): Promise<string> {
      const { redirectUrl } = (await request('GET', '/api/oauth/google/redirect_url')).json<{ redirectUrl: string }>()
      return redirectUrl
    },
    completeSignIn: (code: unknown, more: object = {}) => request('POST', '/api/sessions', { code, ...more }),
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** Signs in through the provider and returns the browser with its session cookies. */
export async function signIn(instance: Instance, provider: TestProvider, person: TestPerson): Promise<Browser> {
  const browser = openBrowser(instance)
  const callback = await provider.authorize(await browser.startSignIn(), person)
  const response = await browser.completeSignIn(callback.get('code'))
  if (response.statusCode !== 201) throw new Error(`Sign-in failed: ${response.statusCode} ${response.body}`)
  return browser
}

export function person(sub: string, more: Partial<TestPerson> = {}): TestPerson {
  return {
    sub,
    email: `${sub}@example.com`,
    email_verified: true,
    name: sub,
    picture: 'https://pictures.example/me.jpg',
    ...more,
  }
}
