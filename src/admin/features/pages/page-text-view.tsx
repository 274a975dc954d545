import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useEntryFacts } from '../collections/entry-facts.ts'
import { useSectionNames } from '../sections/sections.ts'
import styles from './history.module.css'
import { readBlock } from './read-block.ts'

/** A read-only view of a text. */
export function PageTextView({
  text,
  contentLocale,
  collection = null,
}: {
  text: DraftText
  contentLocale: Locale
  /** Of an entry. */
  collection?: string | null
}) {
  const t = useText()
  const dir = useContentDirection(contentLocale)
  useSectionNames(text.body)
  const entryFacts = useEntryFacts(collection)(text.fields)
  const facts = [
    { label: t('pages.fields.title'), value: text.title },
    { label: t('pages.fields.slug'), value: `/${text.slug}` },
    { label: t('pages.fields.seoTitle'), value: text.seoTitle },
    { label: t('pages.fields.description'), value: text.description },
    { label: t('pages.fields.picture'), value: fileNameFromUrl(text.picture) },
    { label: t('pages.fields.noindex'), value: text.noindex ? t('form.yes') : '' },
    ...entryFacts.map(({ label, text }) => ({ label, value: text })),
  ].filter(({ value }) => value !== '')
  return (
    <div className={styles.text}>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir={dir} lang={contentLocale}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {(text.body as StoredBlock[]).map((block, index) => (
        <BlockTextView key={block.id ?? `#${index}`} block={block} contentLocale={contentLocale} />
      ))}
    </div>
  )
}

/** A read-only view of one block. */
export function BlockTextView({ block, contentLocale }: { block: StoredBlock; contentLocale: Locale }) {
  const locale = useLocale()
  const dir = useContentDirection(contentLocale)
  return (
    <section className={styles.block}>
      <h3>{blockName(block.type, locale)}</h3>
      <dl>
        {readBlock(block, locale).map(({ name, label, text }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd dir={dir} lang={contentLocale}>
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
