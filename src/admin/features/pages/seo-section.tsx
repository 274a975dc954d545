import { Button, Input, Switch, Textarea, TextInput } from '@mantine/core'
import { ImagePlus, X } from 'lucide-react'
import { useId } from 'react'
import { localizedPath } from '../../../contract/locales.ts'
import { lockOf } from '../../../contract/locks.ts'
import { useText } from '../../i18n.ts'
import { useContentDirection, useSite } from '../../site-languages.ts'
import { useFillPlaceholders } from '../blocks/preview-data.ts'
import { ChoosePicture } from '../files/choose-picture.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'

/** About the length that search engines show. */
const shownChars = { title: 60, description: 160 }

/** The title, description and image for search engines and sharing. */
export function SeoSettings({ work, fixed }: { work: PageEditor; fixed: boolean }) {
  const t = useText()
  const { text, problems, change } = work
  const { locale } = work.page
  const locked = lockOf(work.page.locks).page && work.page.version > 0
  const fill = useFillPlaceholders(locale)
  const common = { dir: useContentDirection(locale), lang: locale, disabled: fixed }
  return (
    <>
      <p className="quiet small flush">{t('pages.seo.lead')}</p>
      <FoundPreview work={work} />
      <SharedCard work={work} />
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
      <ShareImageField
        value={text.picture}
        error={problems.picture}
        disabled={fixed}
        onChange={(picture) => change({ picture })}
      />
      <Switch
        label={t('pages.fields.noindex')}
        description={t(locked ? 'blocks.lock.boundPage' : 'pages.seo.noindexHelp')}
        disabled={fixed || locked}
        checked={text.noindex}
        onChange={(event) => change({ noindex: event.currentTarget.checked })}
      />
      <p className="quiet small flush">{t('pages.seo.brackets')}</p>
    </>
  )
}

/** Only advice: longer texts are stored, and cut off by search engines. */
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

/** The texts as they are shown elsewhere, with their placeholders filled. */
function useShownTexts({ text, page }: PageEditor) {
  const t = useText()
  const fill = useFillPlaceholders(page.locale)
  const cut = (words: string, most: number) => {
    const chars = [...words]
    return chars.length > most ? `${chars.slice(0, most).join('').trimEnd()}…` : words
  }
  return {
    title: cut(fill(text.seoTitle || text.title || t('pages.untitled')), shownChars.title),
    description: cut(fill(text.description), shownChars.description),
    written: { dir: useContentDirection(page.locale), lang: page.locale },
  }
}

/** An approximation of a search result. */
function FoundPreview({ work }: { work: PageEditor }) {
  const t = useText()
  const { text, page } = work
  const { title, description, written } = useShownTexts(work)
  const path = localizedPath(`/${text.slug}`, page.locale, useSite())
  return (
    <figure className={styles.found} aria-label={t('pages.seo.preview')}>
      <small dir="ltr">
        {location.host}
        {path}
      </small>
      <strong {...written}>{title}</strong>
      {text.description && !text.noindex ? (
        <p {...written}>{description}</p>
      ) : (
        <p>{t(text.noindex ? 'pages.seo.hidden' : 'pages.seo.noDescription')}</p>
      )}
    </figure>
  )
}

/** An approximation of the card that is shown where a link to the page is shared. */
function SharedCard({ work }: { work: PageEditor }) {
  const t = useText()
  const site = useSite()
  const { text, page } = work
  const { title, description, written } = useShownTexts(work)
  return (
    <figure className={styles.card} aria-label={t('pages.seo.card')}>
      <img src={text.picture || localizedPath('/opengraph.png', page.locale, site)} alt="" />
      <small dir="ltr">{location.host}</small>
      <strong {...written}>{title}</strong>
      {description && <p {...written}>{description}</p>}
    </figure>
  )
}

/** The image shown when the page is shared. */
function ShareImageField(props: {
  value: string
  error: string | undefined
  disabled: boolean
  onChange: (url: string) => void
}) {
  const { value, error, disabled, onChange } = props
  const t = useText()
  const id = useId()
  return (
    <Input.Wrapper
      label={t('pages.fields.picture')}
      description={t('pages.seo.imageHelp')}
      error={error}
      labelElement="div"
      id={id}
      data-page-field="picture"
    >
      <div className={styles.image}>
        <div className="row">
          <ChoosePicture
            disabled={disabled}
            leftSection={<ImagePlus />}
            aria-invalid={error ? true : undefined}
            onChoose={onChange}
          >
            {t(value ? 'pages.seo.imageOther' : 'pages.seo.imageChoose')}
          </ChoosePicture>
          {value && !disabled && (
            <Button variant="subtle" leftSection={<X />} onClick={() => onChange('')}>
              {t('pages.seo.imageNone')}
            </Button>
          )}
        </div>
      </div>
    </Input.Wrapper>
  )
}
