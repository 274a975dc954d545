import { locales, localizedPath } from '../../src/contract/locales.ts'
import type { Right } from '../../src/contract/rights.ts'

/** What is expected at an address that the description of the API does not name. */
export interface Door {
  /** What comes back: a status, and where a redirection leads, `303 /login`. */
  signedIn: string
  /** The same for nobody, who is blocked, and whose session ended or was forged. Left out, it is the same. */
  others?: string
  /** Of which one is wanted; who is signed in without gets 403. */
  rights?: readonly Right[]
  /** Where it is called; left out, at its own path. */
  at?: string
  /** The fields of a form. */
  form?: Record<string, string>
}

const nothing = { signedIn: '404' }
const link = { token: 'nooit-gemaakt' }
const chosen = { ...link, password: 'geheim-123', repeat: 'geheim-123' }

/** Where somebody comes in or goes out, in one language; `at` is the prefix of it. */
const entrances = (at: (path: string) => string): Record<string, Door> => ({
  // Whoever is in already is led on.
  'get /login': { signedIn: '303 /user', others: '200' },
  'post /login': { signedIn: '422', form: { identifier: '' } },
  'get /login/code': { signedIn: '200' },
  'post /login/code': { signedIn: `303 ${at('/login')}?melding=opnieuw`, form: { code: '123456' } },
  'get /logout': { signedIn: '200', others: '303 /' },
  'post /logout': { signedIn: '303 /', form: {} },
  'get /wachtwoord-vergeten': { signedIn: '200' },
  'post /wachtwoord-vergeten': { signedIn: '422', form: { email: '' } },
  // Without a link that holds there is nothing behind these, whoever knocks.
  'get /wachtwoord': nothing,
  'post /wachtwoord': { ...nothing, form: chosen },
  'get /setup': nothing,
  'post /setup': { ...nothing, form: { ...chosen, name: 'Mallory', email: 'mallory@example.nl' } },
  'get /email-bevestigen': nothing,
  'post /email-bevestigen': { ...nothing, form: link },
})

const inEveryLanguage = Object.fromEntries(
  locales.flatMap((locale) => {
    const at = (path: string) => localizedPath(path, locale)
    return Object.entries(entrances(at)).map(([name, door]) => {
      const [method = '', path = ''] = name.split(' ')
      return [`${method} ${at(path)}`, door] as const
    })
  }),
)

/** The admin's page is for who is signed in; what a role may do is asked by each call that it makes. */
const admin = (path: string): Door => ({
  signedIn: '200',
  others: `303 /login?redirect=${encodeURIComponent(path)}`,
  at: path,
})

const address = '/files/:address{[0-9a-f]{32}}'
const uploads: Record<string, Door> = Object.fromEntries(
  [`${address}/:name`, `${address}/:width{[1-9][0-9]{0,4}}/:name`].flatMap((path) =>
    ['get', 'head'].map((method) => [
      `${method} ${path}`,
      { ...nothing, at: `/files/${'0'.repeat(32)}/${path.includes(':width') ? '640/' : ''}foto.jpg` },
    ]),
  ),
)

/** Every door beside the described API. One without its row fails the matrix. */
export const doors: Record<string, Door> = {
  ...inEveryLanguage,
  // The far end is the provider's own address.
  'get /login/oidc': { signedIn: '303 /auth' },
  'get /login/oidc/callback': { signedIn: '303 /login?melding=geweigerd', at: '/login/oidc/callback?code=x&state=x' },

  'get /user': admin('/user'),
  'get /admin': admin('/admin'),
  'get /admin/*': admin('/admin/users/1'),

  // Nobody sees what is not in force but who may change it.
  'post /voorbeeld/configuratie': { signedIn: '200', rights: ['config.write'], others: '401', form: { config: '{}' } },

  'get /healthz': { signedIn: '200' },
  'get /readyz': { signedIn: '200' },
  // For the holder of its token alone, whatever somebody's role.
  'get /metrics': nothing,

  'get /api/openapi.json': { signedIn: '200' },
  'get /api/docs': { signedIn: '200' },
  'all /api/*': { ...nothing, at: '/api/nothing-of-the-kind' },

  // Uploads are for everyone; at an address that none has is nothing.
  ...uploads,
  // The link of a preview is its own key, for whoever has it.
  'get /voorbeeld/:token{[0-9][\\w.-]+}': { ...nothing, at: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },
  'head /voorbeeld/:token{[0-9][\\w.-]+}': { ...nothing, at: '/voorbeeld/1.nl.1.9999999999.nooit-gemaakt' },

  // The public site; what is no page is not found.
  'get /*': { signedIn: '200', at: '/disclaimer' },
  'head /*': { signedIn: '200', at: '/disclaimer' },
}
