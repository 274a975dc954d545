import { Switch, Textarea, TextInput } from '@mantine/core'
import { direction, localizedPath } from '../../../contract/locales.ts'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { useFill } from '../blocks/fill.ts'
import styles from './page-form.module.css'
import type { PageWork } from './page-work.ts'
import { PictureField } from './picture-field.tsx'

/** About so much of it search engines show. */
const shownChars = { title: 60, description: 160 }

/** What search engines and cards show of the page. */
export function SeoSection({ work, fixed }: { work: PageWork; fixed: boolean }) {
  const t = useText()
  const { text, problems, change } = work
  const { locale } = work.page
  const fill = useFill(locale)
  const common = { dir: direction[locale], lang: locale, disabled: fixed, autoComplete: 'off' } as const
  return (
    <Section title={t('pages.seo.title')} lead={t('pages.seo.lead')}>
      <FoundPreview work={work} />
      <div data-page-field="seoTitle">
        <TextInput
          label={t('pages.fields.seoTitle')}
          description={t('pages.seo.titleHelp')}
          error={problems.seoTitle}
          value={text.seoTitle}
          onChange={(event) => change({ seoTitle: event.currentTarget.value })}
          {...common}
        />
        <Counted chars={[...fill(text.seoTitle)].length} most={shownChars.title} />
      </div>
      <div data-page-field="description">
        <Textarea
          label={t('pages.fields.description')}
          description={t('pages.seo.descriptionHelp')}
          autosize
          minRows={2}
          maxRows={6}
          error={problems.description}
          value={text.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
          {...common}
        />
        <Counted chars={[...fill(text.description)].length} most={shownChars.description} />
      </div>
      <PictureField
        value={text.picture}
        error={problems.picture}
        disabled={fixed}
        onChange={(picture) => change({ picture })}
      />
      <Switch
        label={t('pages.fields.noindex')}
        description={t('pages.seo.noindexHelp')}
        disabled={fixed}
        checked={text.noindex}
        onChange={(event) => change({ noindex: event.currentTarget.checked })}
      />
      <p className="quiet small flush">{t('pages.seo.brackets')}</p>
    </Section>
  )
}

/** No more than advice: what is longer is kept, and cut by who shows it. */
function Counted({ chars, most }: { chars: number; most: number }) {
  const t = useText()
  if (chars === 0) return null
  return (
    <p className={`quiet small flush ${styles.counted}`}>
      <span>{t('pages.seo.chars', { chars, most })}</span>
      {chars > most && <span>{t('pages.seo.cut')}</span>}
    </p>
  )
}

/** About as a search engine shows it. */
function FoundPreview({ work }: { work: PageWork }) {
  const t = useText()
  const { text, page } = work
  const fill = useFill(page.locale)
  const path = localizedPath(`/${text.slug}`, page.locale)
  const cut = (words: string, most: number) => {
    const chars = [...words]
    return chars.length > most ? `${chars.slice(0, most).join('').trimEnd()}…` : words
  }
  return (
    <figure className={styles.found} aria-label={t('pages.seo.preview')}>
      <small dir="ltr">
        {location.host}
        {path}
      </small>
      <strong dir={direction[page.locale]} lang={page.locale}>
        {cut(fill(text.seoTitle || text.title || t('pages.untitled')), shownChars.title)}
      </strong>
      {text.description && !text.noindex ? (
        <p dir={direction[page.locale]} lang={page.locale}>
          {cut(fill(text.description), shownChars.description)}
        </p>
      ) : (
        <p>{t(text.noindex ? 'pages.seo.hidden' : 'pages.seo.noDescription')}</p>
      )}
    </figure>
  )
}
