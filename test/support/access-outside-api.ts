import { adminLocales, defaultLocale, localizedPath } from '../../src/contract/locales.ts'
import type { Right } from '../../src/contract/rights.ts'

/** The expected access of a path outside the API description. */
export interface RouteAccess {
  /** The response: a status, and the target of a redirect, `303 /login`. */
  signedIn: string
  /** The same for anonymous, blocked, expired and forged callers. Defaults to `signedIn`. */
  others?: string
  /** One of these rights is required; a signed-in user without gets 403. */
  rights?: readonly Right[]
  /** The path to call; defaults to the path of the route. */
  at?: string
  /** The form fields. */
  form?: Record<string, string>
}

const nothing = { signedIn: '404' }
const link = { token: 'nooit-gemaakt' }
const chosen = { ...link, password: 'geheim-123', repeat: 'geheim-123' }

/** The sign-in and sign-out pages of one language; `at` is its prefix. */
const signInRoutes = (at: (path: string) => string): Record<string, RouteAccess> => ({
  // A signed-in user is redirected.
  'get /login': { signedIn: '303 /user', others: '200' },
  'post /login': { signedIn: '422', form: { identifier: '' } },
  'get /login/code': { signedIn: '200' },
  'post /login/code': { signedIn: `303 ${at('/login')}?melding=opnieuw`, form: { code: '123456' } },
  'get /logout': { signedIn: '200', others: '303 /' },
  'post /logout': { signedIn: '303 /', form: {} },
  'get /wachtwoord-vergeten': { signedIn: '200' },
  'post /wachtwoord-vergeten': { signedIn: '422', form: { email: '' } },
  // Without a valid link these are not available to anyone.
  'get /wachtwoord': nothing,
  'post /wachtwoord': { ...nothing, form: chosen },
  'get /setup': nothing,
  'post /setup': { ...nothing, form: { ...chosen, name: 'Mallory', email: 'mallory@example.nl' } },
  'get /email-bevestigen': nothing,
  'post /email-bevestigen': { ...nothing, form: link },
})

const inEveryLanguage = Object.fromEntries(
  adminLocales.flatMap((locale) => {
    const at = (path: string) => localizedPath(path, locale, {})
    return Object.entries(signInRoutes(at)).map(([name, access]) => {
      const [method = '', path = ''] = name.split(' ')
      return [`${method} ${locale === defaultLocale ? path : `/:prefix${path}`}`, { ...access, at: at(path) }] as const
    })
  }),
)

/** The page of the admin is for signed-in users; the API checks the rights of each call. */
const admin = (path: string): RouteAccess => ({
  signedIn: '200',
  others: `303 /login?redirect=${encodeURIComponent(path)}`,
  at: path,
})

const address = '/files/:publicId{[0-9a-f]{32}}'
const uploads: Record<string, RouteAccess> = Object.fromEntries(
  [`${address}/:name`, `${address}/:width{[1-9][0-9]{0,4}}/:name`].flatMap((path) =>
    ['get', 'head'].map((method) => [
      `${method} ${path}`,
      { ...nothing, at: `/files/${'0'.repeat(32)}/${path.includes(':width') ? '640/' : ''}foto.jpg` },
    ]),
  ),
)

/** Every endpoint outside the API description. One without its row fails the matrix. */
export const routesOutsideApi: Record<string, RouteAccess> = {
  ...inEveryLanguage,
  // The target is the URL of the provider.
  'get /login/oidc': { signedIn: '303 /auth' },
  'get /login/oidc/callback': { signedIn: '303 /login?melding=geweigerd', at: '/login/oidc/callback?code=x&state=x' },

  'get /user': admin('/user'),
  'get /admin': admin('/admin'),
  'get /admin/*': admin('/admin/users/1'),

  // Unsaved settings are visible only to users who may change them.
  'post /voorbeeld/configuratie': { signedIn: '200', rights: ['config.write'], others: '401', form: { config: '{}' } },

  'get /healthz': { signedIn: '200' },
  'get /readyz': { signedIn: '200' },
  // Only for a client with the token, whatever the role of the user.
  'get /metrics': nothing,

  'get /api/openapi.json': { signedIn: '200' },
  'get /api/docs': { signedIn: '200' },
  'all /api/*': { ...nothing, at: '/api/nothing-of-the-kind' },

  // Uploads are public; an unknown URL is 404.
  ...uploads,
  // A preview link is its own secret, for anyone who has it.
  'get /voorbeeld/:token{[0-9][\\w.-]+}': { ...nothing, at: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },
  'head /voorbeeld/:token{[0-9][\\w.-]+}': { ...nothing, at: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },

  // The public site; an unknown path is 404.
  'get /*': { signedIn: '200', at: '/disclaimer' },
  'head /*': { signedIn: '200', at: '/disclaimer' },
}
