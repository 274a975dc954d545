import { renderToStaticMarkup } from 'react-dom/server'
import type { AuditAction } from '../../contract/audit-actions.ts'
import {
  contentDirection,
  isLanguageTag,
  type Locale,
  languageName,
  mainLocaleOf,
  textLocales,
} from '../../contract/locales.ts'
import { type EmailTemplate, emailTemplates } from '../../contract/outbox.ts'
import type { PersonExport } from '../../contract/privacy.ts'
import { roleName } from '../../contract/rights.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { longDateTime } from '../../i18n/dates.ts'
import { type Translate, translator } from '../../i18n/translate.ts'

/**
 * The export as a printable HTML page, in the person's language, or in its fallback language if the program has no
 * texts in it.
 */
export function renderExportPage(
  data: PersonExport,
  site: Pick<SiteConfig, 'brand' | 'languages' | 'fallbackLocales' | 'locales' | 'rootLocale'>,
): string {
  const ofPerson = localeOf(data.account?.locale) ?? localeOf(data.messages.at(-1)?.locale) ?? mainLocaleOf(site)
  // The last fallback is a language of the program.
  const locale = textLocales(ofPerson, site.fallbackLocales).at(-1) ?? ofPerson
  const t = translator(locale)
  const inLanguage = { locale, t }
  const sections = [
    { title: t('privacyExport.messages'), rows: data.messages },
    { title: t('privacyExport.emails'), rows: data.letters },
    { title: t('privacyExport.account'), rows: data.account ? [data.account] : [] },
    { title: t('privacyExport.changes'), rows: data.changes },
  ]
  const title = t('privacyExport.title', { brand: site.brand })
  return `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang={locale} dir={contentDirection(site, locale)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{style}</style>
      </head>
      <body>
        <h1>{title}</h1>
        <p>
          <bdi dir="ltr">{data.email}</bdi> · {longDateTime(new Date(data.exportedAt), locale)}
        </p>
        {sections.map(({ title, rows }) => (
          <section key={title}>
            <h2>{title}</h2>
            {rows.length === 0 && <p>{t('privacyExport.none')}</p>}
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once
              <Facts key={index} facts={row} {...inLanguage} />
            ))}
          </section>
        ))}
      </body>
    </html>,
  )}`
}

type InLanguage = { locale: Locale; t: Translate }

/** The fields of an object with their labels; empty ones are left out. */
function Facts({ facts, ...inLanguage }: { facts: object } & InLanguage) {
  return (
    <dl>
      {Object.entries(facts)
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name, inLanguage.t)}</dt>
            <dd>
              {name === 'content' ? (
                <a
                  href={`data:application/octet-stream;base64,${value}`}
                  download={'name' in facts ? String(facts.name) : ''}
                >
                  {inLanguage.t('privacyExport.saveFile')}
                </a>
              ) : (
                <Value name={name} value={value} {...inLanguage} />
              )}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Value({ name, value, ...inLanguage }: { name: string; value: unknown } & InLanguage) {
  const { locale, t } = inLanguage
  if (Array.isArray(value)) {
    if (value.length === 0) return t('privacyExport.none')
    // biome-ignore lint/suspicious/noArrayIndexKey: the page is rendered once
    return value.map((item, index) => <Value key={index} name={name} value={item} {...inLanguage} />)
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return <Facts facts={value} {...inLanguage} />
  return <bdi dir="auto">{textOf(name, value, locale, t)}</bdi>
}

/** Known values and instants in the language; all others as stored. */
function textOf(name: string, value: unknown, locale: Locale, t: Translate): string {
  if (typeof value === 'boolean') return t(value ? 'privacyExport.yes' : 'privacyExport.no')
  const text = value instanceof Date ? value.toISOString() : String(value)
  if (isInstant(text)) return longDateTime(new Date(text), locale)
  if (name === 'action') return t(`audit.actions.${text as AuditAction}`)
  if (name === 'kind' && Object.hasOwn(emailTemplates, text)) return t(`outbox.templates.${text as EmailTemplate}`)
  if (name === 'state') return t(`privacyExport.states.${text as 'sent'}`)
  if (name === 'folder') return t(`privacyExport.folders.${text as 'inbox'}`)
  if (name === 'role') return roleName({ name: text }, t)
  if (name === 'locale') return languageName(localeOf(text) ?? 'nl')
  if (name === 'leftOut') return labelOf(text, t)
  return text
}

/** Exactly as `toISOString` writes it: a visitor's text may look like a date. */
const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text

const labelOf = (name: string, t: Translate): string => t(`privacyExport.fields.${name as 'naam'}`)

const localeOf = (value: unknown): Locale | undefined =>
  typeof value === 'string' && isLanguageTag(value) ? value : undefined

const style = `
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.6 system-ui, Tahoma, sans-serif; color: #222 }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #bbb }
dl { margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid #ccc; border-radius: .5rem; break-inside: avoid }
dl dl { margin: .5rem 0 }
dl > div { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .25rem 1rem }
dt { color: #555 }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
@media (max-width: 34rem) { dl > div { grid-template-columns: 1fr; margin-bottom: .5rem } }`
