import { Button, Input, Switch, Textarea, TextInput } from '@mantine/core'
import { ImagePlus, X } from 'lucide-react'
import { useId } from 'react'
import { localizedPath } from '../../../contract/locales.ts'
import { lockOf } from '../../../contract/locks.ts'
import { useText } from '../../i18n.ts'
import { useContentDirection, useLanguageSettings } from '../../site-languages.ts'
import { useFillPlaceholders } from '../blocks/preview-data.ts'
import { ChooseImage } from '../files/choose-image.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'

/** The approximate number of characters that search engines show. */
const visibleChars = { title: 60, description: 160 }

/** The title, description and image for search engines and sharing. */
export function SeoSettings({ editor, isReadOnly }: { editor: PageEditor; isReadOnly: boolean }) {
  const t = useText()
  const { text, problems, change } = editor
  const { locale } = editor.page
  const isLocked = lockOf(editor.page.locks).page && editor.page.version > 0
  const fill = useFillPlaceholders(locale)
  const fieldProps = { dir: useContentDirection(locale), lang: locale, disabled: isReadOnly }
  return (
    <>
      <p className="quiet small flush">{t('pages.seo.lead')}</p>
      <SearchResultPreview editor={editor} />
      <LinkPreview editor={editor} />
      <div data-page-field="seoTitle">
        <TextInput
          label={t('pages.fields.seoTitle')}
          description={t('pages.seo.titleHelp')}
          error={problems.seoTitle}
          value={text.seoTitle}
          onChange={(event) => change({ seoTitle: event.currentTarget.value })}
          {...fieldProps}
        />
        <CharCount chars={[...fill(text.seoTitle)].length} visible={visibleChars.title} />
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
          {...fieldProps}
        />
        <CharCount chars={[...fill(text.description)].length} visible={visibleChars.description} />
      </div>
      <ShareImageField
        value={text.picture}
        error={problems.picture}
        disabled={isReadOnly}
        onChange={(picture) => change({ picture })}
      />
      <Switch
        label={t('pages.fields.noindex')}
        description={t(isLocked ? 'blocks.lock.boundPage' : 'pages.seo.noindexHelp')}
        error={problems.noindex}
        aria-invalid={problems.noindex ? true : undefined}
        disabled={isReadOnly || isLocked}
        checked={text.noindex}
        onChange={(event) => change({ noindex: event.currentTarget.checked })}
      />
      <p className="quiet small flush">{t('pages.seo.brackets')}</p>
    </>
  )
}

/** The length of a text, as advice: a longer one is accepted, but search engines cut it off. */
function CharCount({ chars, visible }: { chars: number; visible: number }) {
  const t = useText()
  if (chars === 0) return null
  return (
    <p className={`quiet small flush ${styles.counted}`}>
      <span>{t('pages.seo.chars', { chars, most: visible })}</span>
      {chars > visible && <span>{t('pages.seo.cut')}</span>}
    </p>
  )
}

/** The texts of the page as a search result or a link preview shows them: placeholders filled, and cut to length. */
function usePreviewTexts({ text, page }: PageEditor) {
  const t = useText()
  const fill = useFillPlaceholders(page.locale)
  const cut = (fullText: string, maxChars: number) => {
    const chars = [...fullText]
    return chars.length > maxChars ? `${chars.slice(0, maxChars).join('').trimEnd()}…` : fullText
  }
  return {
    title: cut(fill(text.seoTitle || text.title || t('pages.untitled')), visibleChars.title),
    description: cut(fill(text.description), visibleChars.description),
    languageProps: { dir: useContentDirection(page.locale), lang: page.locale },
  }
}

/** An approximation of a search result. */
function SearchResultPreview({ editor }: { editor: PageEditor }) {
  const t = useText()
  const { text, page } = editor
  const { title, description, languageProps } = usePreviewTexts(editor)
  const path = localizedPath(`/${text.slug}`, page.locale, useLanguageSettings())
  return (
    <figure className={styles.found} aria-label={t('pages.seo.preview')}>
      <small dir="ltr">
        {location.host}
        {path}
      </small>
      <strong {...languageProps}>{title}</strong>
      {text.description && !text.noindex ? (
        <p {...languageProps}>{description}</p>
      ) : (
        <p>{t(text.noindex ? 'pages.seo.hidden' : 'pages.seo.noDescription')}</p>
      )}
    </figure>
  )
}

/** An approximation of the card that is shown where a link to the page is shared. */
function LinkPreview({ editor }: { editor: PageEditor }) {
  const t = useText()
  const site = useLanguageSettings()
  const { text, page } = editor
  const { title, description, languageProps } = usePreviewTexts(editor)
  return (
    <figure className={styles.card} aria-label={t('pages.seo.card')}>
      <img src={text.picture || localizedPath('/opengraph.png', page.locale, site)} alt="" />
      <small dir="ltr">{location.host}</small>
      <strong {...languageProps}>{title}</strong>
      {description && <p {...languageProps}>{description}</p>}
    </figure>
  )
}

/** Chooses the image for link previews. @param props.value the URL of an upload; empty: the site's image */
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
          <ChooseImage
            disabled={disabled}
            leftSection={<ImagePlus />}
            aria-invalid={error ? true : undefined}
            onChoose={onChange}
          >
            {t(value ? 'pages.seo.imageOther' : 'pages.seo.imageChoose')}
          </ChooseImage>
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
