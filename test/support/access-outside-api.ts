import { adminLocales, defaultLocale, localizedPath } from '../../src/contract/locales.ts'
import type { Right } from '../../src/contract/rights.ts'

/** The expected access of a path outside the API description. */
interface RouteAccess {
  /** The response to a signed-in user: the status, and for a redirect its target: `303 /login`. */
  signedIn: string
  /** The same for anonymous, blocked, expired and forged callers. Defaults to `signedIn`. */
  others?: string
  /** One of these rights is required; a signed-in user with none of them gets 403. */
  rights?: readonly Right[]
  /** The path to call; defaults to the path of the route. */
  callPath?: string
  /** The form fields. */
  form?: Record<string, string>
}

const notFound = { signedIn: '404' }
const unknownToken = { token: 'nooit-gemaakt' }
const newPasswordForm = { ...unknownToken, password: 'geheim-123', repeat: 'geheim-123' }

/** The sign-in and sign-out pages of one language. @param localize adds the prefix of the language to a path */
const signInRoutes = (localize: (path: string) => string): Record<string, RouteAccess> => ({
  // A signed-in user is redirected.
  'get /login': { signedIn: '303 /user', others: '200' },
  'post /login': { signedIn: '422', form: { identifier: '' } },
  'get /login/code': { signedIn: '200' },
  'post /login/code': { signedIn: `303 ${localize('/login')}?melding=opnieuw`, form: { code: '123456' } },
  'get /logout': { signedIn: '200', others: '303 /' },
  'post /logout': { signedIn: '303 /', form: {} },
  'get /wachtwoord-vergeten': { signedIn: '200' },
  'post /wachtwoord-vergeten': { signedIn: '422', form: { email: '' } },
  // Without a valid link these are not available to anyone.
  'get /wachtwoord': notFound,
  'post /wachtwoord': { ...notFound, form: newPasswordForm },
  'get /setup': notFound,
  'post /setup': { ...notFound, form: { ...newPasswordForm, name: 'Mallory', email: 'mallory@example.nl' } },
  'get /email-bevestigen': notFound,
  'post /email-bevestigen': { ...notFound, form: unknownToken },
})

const signInRoutesOfEveryLanguage = Object.fromEntries(
  adminLocales.flatMap((locale) => {
    const localize = (path: string) => localizedPath(path, locale, {})
    return Object.entries(signInRoutes(localize)).map(([name, access]) => {
      const [method = '', path = ''] = name.split(' ')
      const route = locale === defaultLocale ? path : `/:prefix${path}`
      return [`${method} ${route}`, { ...access, callPath: localize(path) }] as const
    })
  }),
)

/** The page of the admin is for signed-in users; the API checks the rights of each call. */
const adminPage = (path: string): RouteAccess => ({
  signedIn: '200',
  others: `303 /login?redirect=${encodeURIComponent(path)}`,
  callPath: path,
})

const filePath = '/files/:publicId{[0-9a-f]{32}}'
const uploads: Record<string, RouteAccess> = Object.fromEntries(
  [`${filePath}/:name`, `${filePath}/:width{[1-9][0-9]{0,4}}/:name`].flatMap((path) =>
    ['get', 'head'].map((method) => [
      `${method} ${path}`,
      { ...notFound, callPath: `/files/${'0'.repeat(32)}/${path.includes(':width') ? '640/' : ''}foto.jpg` },
    ]),
  ),
)

/**
 * The expected access by method and path. `rights-matrix.test.ts` fails for an endpoint that is neither here nor in the API
 * description.
 */
export const routesOutsideApi: Record<string, RouteAccess> = {
  ...signInRoutesOfEveryLanguage,
  // The target is the URL of the provider.
  'get /login/oidc': { signedIn: '303 /auth' },
  'get /login/oidc/callback': {
    signedIn: '303 /login?melding=geweigerd',
    callPath: '/login/oidc/callback?code=x&state=x',
  },

  'get /user': adminPage('/user'),
  'get /admin': adminPage('/admin'),
  'get /admin/*': adminPage('/admin/users/1'),

  // Unsaved settings are visible only to users who may change them.
  'post /voorbeeld/configuratie': { signedIn: '200', rights: ['config.write'], others: '401', form: { config: '{}' } },

  'get /healthz': { signedIn: '200' },
  'get /readyz': { signedIn: '200' },
  // Only for a client with the token, whatever the role of the user.
  'get /metrics': notFound,

  'get /api/openapi.json': { signedIn: '200' },
  'get /api/docs': { signedIn: '200' },
  'all /api/*': { ...notFound, callPath: '/api/nothing-of-the-kind' },

  // Uploads are public; an unknown URL is 404.
  ...uploads,
  // A preview link is its own secret, for anyone who has it.
  'get /voorbeeld/:token{[0-9][\\w.-]+}': { ...notFound, callPath: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },
  'head /voorbeeld/:token{[0-9][\\w.-]+}': { ...notFound, callPath: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },

  // The public site; an unknown path is 404.
  'get /*': { signedIn: '200', callPath: '/disclaimer' },
  'head /*': { signedIn: '200', callPath: '/disclaimer' },
}
