import { direction, type Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import { fileNameIn } from '../../../contract/pictures.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.ts'
import styles from './page-sight.module.css'
import { readBlock } from './read-block.ts'

/** All that a text says, to be read. */
export function PageSight({ text, contentLocale }: { text: DraftText; contentLocale: Locale }) {
  const t = useText()
  const facts = [
    { label: t('pages.fields.title'), value: text.title },
    { label: t('pages.fields.slug'), value: `/${text.slug}` },
    { label: t('pages.fields.seoTitle'), value: text.seoTitle },
    { label: t('pages.fields.description'), value: text.description },
    { label: t('pages.fields.picture'), value: fileNameIn(text.picture) },
    { label: t('pages.fields.noindex'), value: text.noindex ? t('form.yes') : '' },
  ].filter(({ value }) => value !== '')
  return (
    <div className={styles.sight}>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir={direction[contentLocale]} lang={contentLocale}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {(text.body as StoredBlock[]).map((block, index) => (
        <BlockSight key={block.id ?? `#${index}`} block={block} contentLocale={contentLocale} />
      ))}
    </div>
  )
}

/** What one block says. */
export function BlockSight({ block, contentLocale }: { block: StoredBlock; contentLocale: Locale }) {
  const locale = useLocale()
  return (
    <section className={styles.block}>
      <h3>{blockName(block.type, locale)}</h3>
      <dl>
        {readBlock(block, locale).map(({ name, label, text }) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd dir={direction[contentLocale]} lang={contentLocale}>
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
