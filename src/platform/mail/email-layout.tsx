import type { CSSProperties, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { contentDirection, isPersian, type Locale } from '../../contract/locales.ts'
import { fillPlaceholders } from '../../contract/placeholders.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { siteTranslator } from '../../i18n/visitor-texts.ts'
import type { Email, MailAddress } from './transport.ts'

/** The content of an email, from which its HTML and its plain text are rendered. */
interface EmailContent {
  title: string
  /** The text that mail programs show next to the subject. */
  preview: string
  intro?: string
  /** A text that staff wrote, with line breaks. In plain text it is not indented, so it must not come from a visitor. */
  body?: string
  /** `value` may come from a visitor. `ltr`: it is always written from left to right, such as a telephone number. */
  rows: { label: string; value: string; href?: string; ltr?: boolean }[]
  /** A text by a visitor or colleague, with line breaks; see `indent`. */
  quote?: { label: string; text: string }
  /** The button. Plain text leaves it out, so its link must also be in `rows`, or be the Reply-To. */
  action?: { label: string; href: string }
  /** Links below the footer. */
  links?: { label: string; href: string }[]
}

/** Renders an email in the site's colours, as HTML and as plain text. */
export function renderEmailLayout(
  site: SiteConfig,
  locale: Locale,
  content: EmailContent,
): { html: string; text: string } {
  return {
    html: `${doctype}${renderToStaticMarkup(<EmailPage site={site} locale={locale} content={content} />)}`,
    text: plainText(site, locale, content),
  }
}

/** Renders an email from the site to one person. The subject is the title and the brand. */
export function renderEmailTo(site: SiteConfig, locale: Locale, to: MailAddress, content: EmailContent): Email {
  const { brand, sender } = site
  return {
    ...renderEmailLayout(site, locale, content),
    from: { name: fillPlaceholders(sender.name, { brand }), address: sender.email },
    to: [to],
    subject: `${content.title} | ${brand}`,
  }
}

function EmailPage({ site, locale, content }: { site: SiteConfig; locale: Locale; content: EmailContent }) {
  const dir = contentDirection(site, locale)
  const { palette } = site
  const t = siteTranslator(site, locale)
  const align: CSSProperties = { textAlign: dir === 'rtl' ? 'right' : 'left', direction: dir }
  const fontFamily = fonts[isPersian(locale) ? 'fa' : 'nl']
  const textStyle = { ...align, color: palette.dark, fontFamily, lineHeight: '24px' }
  return (
    <html dir={dir} lang={locale}>
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=UTF-8" />
        <meta name="x-apple-disable-message-reformatting" />
        <title>{content.title}</title>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkStyle(site)}</style>
      </head>
      <body className="page" style={{ backgroundColor: palette.secondary, margin: 0, padding: 0 }}>
        <Preview text={content.preview} />
        <Box cellStyle={{ backgroundColor: palette.secondary, padding: '32px 12px' }}>
          <Box dir={dir} className="card" style={{ ...card, backgroundColor: palette.light }}>
            <Box style={{ backgroundColor: palette.accent, padding: '18px 32px', borderRadius: '12px 12px 0 0' }}>
              <p style={{ ...textStyle, color: palette.light, margin: 0, fontSize: 18, fontWeight: 700 }}>
                <bdi>{site.brand}</bdi>
              </p>
            </Box>
            <Box style={{ padding: '28px 32px 8px' }}>
              <h1 className="ink" style={{ ...textStyle, margin: '0 0 12px', fontSize: 24, lineHeight: '32px' }}>
                {content.title}
              </h1>
              {content.intro && (
                <p className="ink" style={{ ...textStyle, margin: '0 0 20px', fontSize: 15 }}>
                  {content.intro}
                </p>
              )}
              {content.body && <MultilineText text={content.body} textStyle={{ ...textStyle, marginBottom: 24 }} />}
              {content.rows.length > 0 && <Rows rows={content.rows} textStyle={textStyle} accent={palette.accent} />}
              {content.quote && <Quote quote={content.quote} textStyle={textStyle} borderColor={palette.primary} />}
              {content.action && (
                <p style={{ ...align, margin: '24px 0 16px' }}>
                  <a
                    target="_blank"
                    rel="noreferrer"
                    href={content.action.href}
                    style={{ ...button, backgroundColor: palette.accent, fontFamily }}
                  >
                    <span style={{ color: palette.light }}>{content.action.label}</span>
                  </a>
                </p>
              )}
            </Box>
            <Box style={{ padding: '0 32px 24px' }}>
              <hr className="line" style={{ ...rule, borderTopColor: palette.secondary }} />
              {[t('mail.footer', { brand: site.brand }), ...legalLines(site, locale)].map((line) => (
                <p key={line} className="soft" style={{ ...textStyle, ...small }}>
                  {line}
                </p>
              ))}
              {content.links?.map(({ label, href }) => (
                <p key={href} className="soft" style={{ ...textStyle, ...small }}>
                  <a href={href} className="link" style={{ color: palette.accent, textDecorationLine: 'underline' }}>
                    {label}
                  </a>
                </p>
              ))}
            </Box>
          </Box>
        </Box>
      </body>
    </html>
  )
}

/** A table with one cell: the layout that all mail programs support. */
function Box(props: {
  dir?: 'ltr' | 'rtl'
  className?: string
  style?: CSSProperties
  cellStyle?: CSSProperties
  children: ReactNode
}) {
  const { dir, className, style, cellStyle, children } = props
  return (
    <table
      role="presentation"
      align="center"
      width="100%"
      border={0}
      cellPadding="0"
      cellSpacing="0"
      dir={dir}
      className={className}
      style={style}
    >
      <tbody>
        <tr>
          <td style={cellStyle}>{children}</td>
        </tr>
      </tbody>
    </table>
  )
}

const previewChars = 150

/**
 * A hidden text that mail programs show next to the subject. Invisible characters keep the rest of the email from
 * following it.
 */
function Preview({ text }: { text: string }) {
  const preview = text.slice(0, previewChars)
  return (
    <div style={{ display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 }}>
      {preview}
      <div>{'\u00a0\u200c\u200b\u200d\u200e\u200f\ufeff'.repeat(previewChars - preview.length)}</div>
    </div>
  )
}

function Rows(props: { rows: EmailContent['rows']; textStyle: CSSProperties; accent: string }) {
  const { rows, textStyle, accent } = props
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" border={0} style={{ marginBottom: 20 }}>
      <tbody>
        {rows.map(({ label, value, href, ltr }) => (
          <tr key={label}>
            <td className="soft" valign="top" style={{ ...textStyle, ...rowCell, opacity: 0.75, width: '34%' }}>
              {label}
            </td>
            <td className="ink" valign="top" style={{ ...textStyle, ...rowCell, fontWeight: 600 }}>
              <bdi dir={ltr ? 'ltr' : 'auto'} style={isolated}>
                {href ? (
                  <a
                    target="_blank"
                    rel="noreferrer"
                    href={href}
                    className="link"
                    style={{ color: accent, textDecorationLine: 'underline' }}
                  >
                    {value}
                  </a>
                ) : (
                  value
                )}
              </bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Quote(props: { quote: { label: string; text: string }; textStyle: CSSProperties; borderColor: string }) {
  const { quote, textStyle, borderColor } = props
  // Mail programs do not support `borderInlineStart`.
  const startBorder = textStyle.direction === 'rtl' ? 'borderRight' : 'borderLeft'
  return (
    <>
      <p className="soft" style={{ ...textStyle, margin: '0 0 6px', fontSize: 14, opacity: 0.75 }}>
        {quote.label}
      </p>
      <Box style={{ [startBorder]: `3px solid ${borderColor}`, padding: '2px 16px' }}>
        <MultilineText text={quote.text} textStyle={textStyle} />
      </Box>
    </>
  )
}

/** Shows a text with its line breaks; each line gets the direction of its own first letter. */
function MultilineText({ text, textStyle }: { text: string; textStyle: CSSProperties }) {
  return (
    <div dir="auto" className="ink" style={{ ...textStyle, ...multiline }}>
      {/* biome-ignore lint/suspicious/noArrayIndexKey: the lines of an email never move */}
      {text.split('\n').flatMap((line, index) => (index === 0 ? [line] : [<br key={index} />, line]))}
    </div>
  )
}

const fonts: Record<'nl' | 'fa', string> = {
  nl: "'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  fa: "Vazirmatn, 'Segoe UI', Tahoma, 'Noto Sans Arabic', Arial, sans-serif",
}
/** The XHTML doctype, which all mail programs render alike. */
const doctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
const rule: CSSProperties = { width: '100%', border: 'none', borderTop: '1px solid', margin: '8px 0 16px' }
const card: CSSProperties = { maxWidth: 600, borderRadius: 12 }
const rowCell: CSSProperties = { padding: '5px 0', fontSize: 15, lineHeight: '22px', overflowWrap: 'anywhere' }
const isolated: CSSProperties = { unicodeBidi: 'isolate' }
const small: CSSProperties = { margin: 0, fontSize: 12, lineHeight: '19px', opacity: 0.75 }
const multiline: CSSProperties = {
  direction: undefined,
  textAlign: 'start',
  unicodeBidi: 'plaintext',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  fontSize: 16,
  lineHeight: '26px',
}
const button: CSSProperties = {
  display: 'inline-block',
  padding: '12px 24px',
  borderRadius: 8,
  fontSize: 15,
  fontWeight: 600,
  textDecorationLine: 'none',
}

/** The stylesheet of dark mode, which overrides the inline styles; mail programs without support for it stay light. */
const darkStyle = ({ palette }: SiteConfig) =>
  `@media (prefers-color-scheme: dark) {
.page, .page > table > tbody > tr > td { background-color: #1b1b19 !important }
.card { background-color: ${palette.dark} !important }
.ink, .soft { color: ${palette.secondary} !important }
.link { color: ${palette.primary} !important }
.line { border-top-color: #4a4a45 !important }
}`

function plainText(site: SiteConfig, locale: Locale, content: EmailContent): string {
  const t = siteTranslator(site, locale)
  const dir = contentDirection(site, locale)
  const { title, intro, body, rows, quote } = content
  return [
    title,
    '='.repeat([...title].length),
    '',
    ...[intro, body].flatMap((paragraph) => (paragraph ? [paragraph, ''] : [])),
    ...rows.map((row) => plainRow(row, dir)),
    ...(quote ? ['', quote.label, '-'.repeat([...quote.label].length), indent(quote.text)] : []),
    '',
    // Two hyphens and a space are the standard signature separator (RFC 3676).
    '-- ',
    t('mail.footer', { brand: site.brand }),
    ...legalLines(site, locale),
    ...(content.links ?? []).map(({ label, href }) => `${label}:\n${href}`),
    '',
  ].join('\n')
}

function plainRow({ label, value, href, ltr }: EmailContent['rows'][number], dir: 'ltr' | 'rtl'): string {
  // No direction controls around a URL: mail programs would make them part of the link.
  if (href?.startsWith('http')) return `${label}:\n${value}`
  if (lineEnd.test(value)) return `${label}:\n${indent(value)}`
  return `${label}: ${ltr ? leftToRight(value, dir) : value}`
}

/**
 * Indents every line, so that no line of a visitor's text can imitate a row. In right-to-left text the indent is on the
 * right.
 */
const indent = (text: string) =>
  text
    .split(lineEnd)
    .map((line) => line && `    ${line}`)
    .join('\n')

/** All characters that mail programs show as a line break. */
const lineEnd = /\r\n|[\n\r\u0085\u2028\u2029]/

/** Three lines with the legal identity: name and address, email and telephone, registrations. */
function legalLines(site: SiteConfig, locale: Locale): string[] {
  const { brand, legal } = site
  const t = siteTranslator(site, locale)
  const dir = contentDirection(site, locale)
  const { street, postalCode, city } = legal.address
  const telephone = legal.telephone && `${t('mail.telephone')} ${leftToRight(legal.telephone, dir)}`
  return [
    leftToRight(`${fillPlaceholders(legal.name, { brand })}, ${street}, ${postalCode} ${city}`, dir),
    [leftToRight(legal.email, dir), telephone].filter(Boolean).join(' · '),
    `${t('mail.kvk')} ${legal.kvk} · ${t('mail.vat')} ${legal.vat}`,
  ]
}

/**
 * Isolates a left-to-right text in right-to-left plain text, where the groups of a telephone number would be shown in
 * reverse.
 */
const leftToRight = (text: string, dir: 'ltr' | 'rtl') => (dir === 'rtl' ? `\u2066${text}\u2069` : text)
