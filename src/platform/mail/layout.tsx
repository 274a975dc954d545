import { Body } from '@react-email/body'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { render } from '@react-email/render'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import type { CSSProperties } from 'react'
import { fillText } from '../../contract/fill-text.ts'
import { direction, type Locale } from '../../contract/locales.ts'
import type { SiteConfig } from '../../contract/site-config.ts'
import { translator } from '../../i18n/translate.ts'

/** What a letter says; its two parts, for the eye and as plain text, are both made from this. */
export interface LetterContent {
  title: string
  /** What a list of mails shows beside the subject. */
  preview: string
  intro?: string
  /** What a person wrote, in its own lines. */
  body?: string
  rows: { label: string; value: string; href?: string; ltr?: boolean }[]
  /** A text by somebody else, shown as it was written. */
  quote?: { label: string; text: string }
  action?: { label: string; href: string }
}

/** Puts a letter in the site's dress. */
export async function layOut(
  site: SiteConfig,
  locale: Locale,
  content: LetterContent,
): Promise<{ html: string; text: string }> {
  return {
    html: await render(<LetterPage site={site} locale={locale} content={content} />),
    text: plainText(site, locale, content),
  }
}

function LetterPage({ site, locale, content }: { site: SiteConfig; locale: Locale; content: LetterContent }) {
  const dir = direction[locale]
  const { palette } = site
  const t = translator(locale)
  const align: CSSProperties = { textAlign: dir === 'rtl' ? 'right' : 'left', direction: dir }
  const ink = { ...align, color: palette.dark, fontFamily: fonts[locale] }
  return (
    <Html lang={locale} dir={dir}>
      <Head>
        <title>{content.title}</title>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{darkStyle(site)}</style>
      </Head>
      <Preview>{content.preview}</Preview>
      <Body className="page" style={{ backgroundColor: palette.secondary, margin: 0, padding: '32px 12px' }}>
        <Container dir={dir} className="card" style={{ ...card, backgroundColor: palette.light }}>
          <Section style={{ backgroundColor: palette.accent, padding: '18px 32px', borderRadius: '12px 12px 0 0' }}>
            <Text style={{ ...ink, color: palette.light, margin: 0, fontSize: 18, fontWeight: 700 }}>
              <bdi>{site.brand}</bdi>
            </Text>
          </Section>
          <Section style={{ padding: '28px 32px 8px' }}>
            <Heading className="ink" style={{ ...ink, margin: '0 0 12px', fontSize: 24, lineHeight: '32px' }}>
              {content.title}
            </Heading>
            {content.intro && (
              <Text className="ink" style={{ ...ink, margin: '0 0 20px', fontSize: 15 }}>
                {content.intro}
              </Text>
            )}
            {content.body && <Written text={content.body} ink={{ ...ink, marginBottom: 24 }} />}
            {content.rows.length > 0 && <Rows rows={content.rows} ink={ink} accent={palette.accent} />}
            {content.quote && <Quote quote={content.quote} ink={ink} line={palette.primary} />}
            {content.action && (
              <Text style={{ ...align, margin: '24px 0 16px' }}>
                <Link
                  href={content.action.href}
                  style={{ ...button, backgroundColor: palette.accent, fontFamily: fonts[locale] }}
                >
                  <span style={{ color: palette.light }}>{content.action.label}</span>
                </Link>
              </Text>
            )}
          </Section>
          <Section style={{ padding: '0 32px 24px' }}>
            <Hr className="line" style={{ borderTopColor: palette.secondary, margin: '8px 0 16px' }} />
            {[t('mail.footer', { brand: site.brand }), ...legalLines(site, locale)].map((line) => (
              <Text key={line} className="soft" style={{ ...ink, ...small }}>
                {line}
              </Text>
            ))}
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

function Rows({ rows, ink, accent }: { rows: LetterContent['rows']; ink: CSSProperties; accent: string }) {
  return (
    <table role="presentation" width="100%" cellPadding="0" cellSpacing="0" border={0} style={{ marginBottom: 20 }}>
      <tbody>
        {rows.map(({ label, value, href, ltr }) => (
          <tr key={label}>
            <td className="soft" valign="top" style={{ ...ink, ...cell, opacity: 0.75, width: '34%' }}>
              {label}
            </td>
            <td className="ink" valign="top" style={{ ...ink, ...cell, fontWeight: 600 }}>
              <bdi dir={ltr ? 'ltr' : 'auto'} style={isolated}>
                {href ? (
                  <Link href={href} className="link" style={{ color: accent, textDecorationLine: 'underline' }}>
                    {value}
                  </Link>
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

function Quote({ quote, ink, line }: { quote: { label: string; text: string }; ink: CSSProperties; line: string }) {
  const side = ink.direction === 'rtl' ? { borderRight: `3px solid ${line}` } : { borderLeft: `3px solid ${line}` }
  return (
    <>
      <Text className="soft" style={{ ...ink, margin: '0 0 6px', fontSize: 14, opacity: 0.75 }}>
        {quote.label}
      </Text>
      <Section style={{ ...side, padding: '2px 16px' }}>
        <Written text={quote.text} ink={ink} />
      </Section>
    </>
  )
}

/** Each line finds its own direction, and none reaches outside this box. */
function Written({ text, ink }: { text: string; ink: CSSProperties }) {
  return (
    <div dir="auto" className="ink" style={{ ...ink, ...written }}>
      {/* biome-ignore lint/suspicious/noArrayIndexKey: the lines of a letter never move */}
      {text.split('\n').flatMap((line, at) => (at === 0 ? [line] : [<br key={at} />, line]))}
    </div>
  )
}

const fonts: Record<Locale, string> = {
  nl: "'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  fa: "Vazirmatn, 'Segoe UI', Tahoma, 'Noto Sans Arabic', Arial, sans-serif",
}
const card: CSSProperties = { maxWidth: 600, borderRadius: 12 }
const cell: CSSProperties = { padding: '5px 0', fontSize: 15, lineHeight: '22px', overflowWrap: 'anywhere' }
const isolated: CSSProperties = { unicodeBidi: 'isolate' }
const small: CSSProperties = { margin: 0, fontSize: 12, lineHeight: '19px', opacity: 0.75 }
const written: CSSProperties = {
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

/** Programs that turn the light off turn all of it off, so that no dark text is left on a dark ground. */
const darkStyle = ({ palette }: SiteConfig) =>
  `@media (prefers-color-scheme: dark) {
.page, .page > table > tbody > tr > td { background-color: #1b1b19 !important }
.card { background-color: ${palette.dark} !important }
.ink, .soft { color: ${palette.secondary} !important }
.link { color: ${palette.primary} !important }
.line { border-top-color: #4a4a45 !important }
}`

function plainText(site: SiteConfig, locale: Locale, content: LetterContent): string {
  const t = translator(locale)
  const { title, intro, body, rows, quote } = content
  return [
    title,
    '='.repeat([...title].length),
    '',
    ...[intro, body].flatMap((part) => (part ? [part, ''] : [])),
    ...rows.map((row) => plainRow(row, locale)),
    ...(quote ? ['', quote.label, '-'.repeat([...quote.label].length), quote.text] : []),
    '',
    // What mail programs know as the start of a signature.
    '-- ',
    t('mail.footer', { brand: site.brand }),
    ...legalLines(site, locale),
    '',
  ].join('\n')
}

/** A link stands alone: programs that make links of addresses would take the marks of direction along. */
const plainRow = ({ label, value, href, ltr }: LetterContent['rows'][number], locale: Locale): string =>
  href?.startsWith('http') ? `${label}:\n${value}` : `${label}: ${ltr ? leftToRight(value, locale) : value}`

/** The legal identity, one fact or two a line. */
function legalLines({ brand, legal }: SiteConfig, locale: Locale): string[] {
  const t = translator(locale)
  const { street, postalCode, city } = legal.address
  const telephone = legal.telephone && `${t('mail.telephone')} ${leftToRight(legal.telephone, locale)}`
  return [
    leftToRight(`${fillText(legal.name, { brand })}, ${street}, ${postalCode} ${city}`, locale),
    [leftToRight(legal.email, locale), telephone].filter(Boolean).join(' · '),
    `${t('mail.kvk')} ${legal.kvk} · ${t('mail.vat')} ${legal.vat}`,
  ]
}

/** Among right-to-left words the groups of a telephone number would else stand in reverse. */
const leftToRight = (text: string, locale: Locale) => (direction[locale] === 'rtl' ? `\u2066${text}\u2069` : text)
