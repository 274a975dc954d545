import { diffWords } from 'diff'
import type { ReactNode } from 'react'
import { direction, type Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { fileNameIn } from '../../../contract/pictures.ts'
import { useLocale, useText } from '../../i18n.ts'
import styles from './difference.module.css'
import { type BlockChange, differencesOf, type FieldChange, type PageField } from './differences.ts'

/** Longer texts would keep the browser busy; they are shown whole, one below the other. */
const longestMs = 400

/** What lies between two texts of a page, for somebody who wants to know what was done. */
export function Difference(props: { before: DraftText; after: DraftText; contentLocale: Locale }) {
  const { before, after, contentLocale } = props
  const t = useText()
  const locale = useLocale()
  const { fields, blocks } = differencesOf(before, after, locale)
  if (fields.length + blocks.length === 0) return <p className="quiet flush">{t('pages.history.nothing')}</p>
  return (
    <ul className={styles.changes}>
      {fields.map((field) => (
        <li key={field}>
          <h3>{t(`pages.fields.${field}`)}</h3>
          {said(before, field) === said(after, field) ? (
            <span className="quiet">{t('pages.history.otherFile')}</span>
          ) : (
            <Words before={said(before, field)} after={said(after, field)} locale={contentLocale} />
          )}
        </li>
      ))}
      {blocks.map((block) => (
        <li key={block.kind + block.key} data-kind={block.kind}>
          <h3>{t(`pages.history.block.${block.kind}`, { name: block.name })}</h3>
          <Fields block={block} locale={contentLocale} />
        </li>
      ))}
    </ul>
  )

  function said(text: DraftText, field: PageField): string {
    if (field === 'noindex') return t(text.noindex ? 'form.yes' : 'form.no')
    if (field === 'picture') return fileNameIn(text.picture)
    return field === 'slug' ? `/${text.slug}` : text[field]
  }
}

function Fields({ block, locale }: { block: BlockChange; locale: Locale }) {
  if (block.fields.length === 0) return null
  return (
    <dl>
      {block.fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <FieldWords field={field} locale={locale} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldWords({ field, locale }: { field: FieldChange; locale: Locale }) {
  const t = useText()
  if (field.before === field.after) {
    return <span className="quiet">{t(field.otherFile ? 'pages.history.otherFile' : 'pages.history.looks')}</span>
  }
  return <Words before={field.before} after={field.after} locale={locale} />
}

/** What went and what came, word by word, and for who does not see the colours in words too. */
export function Words({ before, after, locale }: { before: string; after: string; locale: Locale }) {
  const t = useText()
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const parts = diffWords(before, after, { intlSegmenter, timeout: longestMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const marked = (label: string, value: string): ReactNode => (
    <>
      <span className="unseen">{label} </span>
      {value}
    </>
  )
  return (
    <p className={styles.words} dir={direction[locale]} lang={locale}>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}-${value}`
        if (value === '') return null
        if (added) return <ins key={key}>{marked(t('pages.history.came'), value)}</ins>
        if (removed) return <del key={key}>{marked(t('pages.history.went'), value)}</del>
        return <span key={key}>{value}</span>
      })}
    </p>
  )
}
