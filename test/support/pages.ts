import { adminLocale, type Locale } from '../../src/contract/locales.ts'
import type { PageInLocale, PageText } from '../../src/contract/pages.ts'
import { rights } from '../../src/contract/rights.ts'
import { createPage } from '../../src/domain/pages/create-page.ts'
import type { Context } from '../../src/platform/context.ts'
import type { SignedIn } from './staff.ts'
import type { TestApp } from './test-app.ts'

/** Adds a page with every right, without signing in. @returns its id */
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

type Editor = Pick<SignedIn, 'get' | 'post' | 'put'>

/** The page in one language. */
export const getPageIn = async (editor: Editor, id: number, locale: Locale = 'nl'): Promise<PageInLocale> =>
  (await editor.get(`/api/pages/${id}/${locale}`)).json()

/** A paragraph as a block. */
export const aParagraph = (html: string, more: object = {}) => ({
  type: 'rich-text',
  content: `<p>${html}</p>`,
  ...more,
})

/** Saves a page with these values changed, on its current version. */
export async function savePageIn(
  editor: Editor,
  id: number,
  values: Partial<Record<keyof PageText, unknown>>,
  more: { locale?: Locale; publish?: boolean; version?: number } = {},
): Promise<Response> {
  const { locale = 'nl', publish = false } = more
  const { text, version } = await getPageIn(editor, id, locale)
  return editor.put(`/api/pages/${id}/${locale}`, {
    text: { ...text, ...values },
    version: more.version ?? version,
    publish,
  })
}

/** Adds, fills and publishes a page. @returns its id */
export async function publishedPage(
  editor: Editor,
  values: { title: string; locale?: Locale; slug?: string; body?: unknown[] },
): Promise<number> {
  const { title, slug, locale = 'nl', body } = values
  const made = await editor.post('/api/pages', { title, locale, ...(slug !== undefined && { slug }) })
  if (made.status !== 201) throw new Error(`page not added: ${made.status} ${await made.text()}`)
  const { id } = await made.json()
  const answer = await savePageIn(
    editor,
    id,
    { body: body ?? [aParagraph(`Over ${title}`)] },
    { locale, publish: true },
  )
  if (answer.status !== 200) throw new Error(`page not published: ${answer.status} ${await answer.text()}`)
  return id
}
