import { adminLocale, type Locale } from '../../src/contract/locales.ts'
import type { PageInLocale, PageText } from '../../src/contract/pages.ts'
import { rights } from '../../src/contract/rights.ts'
import { createPage } from '../../src/domain/pages/create-page.ts'
import type { Context } from '../../src/platform/context.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Adds an unpublished page, as an actor with every right and without signing in. @returns its id */
export async function aPage(site: TestApp, title = 'Ons werk', locale: Locale = 'nl'): Promise<number> {
  const actor = {
    id: 1,
    name: 'Wie dan ook',
    email: '',
    locale: adminLocale(locale),
    rights,
    sessionId: 0,
    confirmedAt: new Date(),
  }
  const ctx: Context = { ...site.app.context(), actor }
  return (await createPage(ctx, { locale, title })).id
}

/** A signed-in client that may edit pages. */
type Editor = Pick<SignedIn, 'get' | 'post' | 'put'>

/** The page in one language. */
export const getPageIn = async (editor: Editor, id: number, locale: Locale = 'nl'): Promise<PageInLocale> =>
  (await editor.get(`/api/pages/${id}/${locale}`)).json()

/** A text block with one paragraph. */
export const aParagraph = (html: string, options: object = {}) => ({
  type: 'rich-text',
  content: `<p>${html}</p>`,
  ...options,
})

/**
 * Saves a page with these values changed.
 * @param options.version by default the current one; a save on an older version is a conflict
 */
export async function savePageIn(
  editor: Editor,
  id: number,
  values: Partial<Record<keyof PageText, unknown>>,
  options: { locale?: Locale; publish?: boolean; version?: number } = {},
): Promise<Response> {
  const { locale = 'nl', publish = false } = options
  const { text, version } = await getPageIn(editor, id, locale)
  return editor.put(`/api/pages/${id}/${locale}`, {
    text: { ...text, ...values },
    version: options.version ?? version,
    publish,
  })
}

/** Adds, fills and publishes a page. @returns its id */
export async function publishedPage(
  editor: Editor,
  values: { title: string; locale?: Locale; slug?: string; body?: unknown[] },
): Promise<number> {
  const { title, slug, locale = 'nl', body } = values
  const created = await editor.post('/api/pages', { title, locale, ...(slug !== undefined && { slug }) })
  if (created.status !== 201) throw new Error(`page not added: ${created.status} ${await created.text()}`)
  const { id } = await created.json()
  const saved = await savePageIn(editor, id, { body: body ?? [aParagraph(`Over ${title}`)] }, { locale, publish: true })
  if (saved.status !== 200) throw new Error(`page not published: ${saved.status} ${await saved.text()}`)
  return id
}
