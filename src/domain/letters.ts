import type { Locale } from '../contract/locales.ts'
import type { SiteConfig } from '../contract/site-config.ts'
import type { Letter } from '../platform/mail/transport.ts'
import { messageTemplate } from './messages/message-letter.ts'

type Render = (site: SiteConfig, locale: Locale, data: never) => Promise<Letter>

/** Every letter there is, by its template's name. Each is loaded when the first of its kind is sent. */
const letters: Record<string, (() => Promise<Render>) | undefined> = {
  [messageTemplate]: async () => (await import('./messages/message.mail.tsx')).renderMessageLetter,
}

/**
 * Puts a letter in words.
 * @param data what was kept with the letter when it was promised
 */
export async function renderLetter(site: SiteConfig, locale: Locale, template: string, data: unknown): Promise<Letter> {
  const load = Object.hasOwn(letters, template) ? letters[template] : undefined
  if (!load) throw new Error(`There is no letter called ${template}`)
  const render = await load()
  return render(site, locale, data as never)
}
