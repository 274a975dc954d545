import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Locale } from '../../../../contract/locales.ts'
import { Choices } from '../../../components/choices.tsx'
import { useLanguageIn, useText } from '../../../i18n.ts'
import { useMainLocale, useSiteLanguages } from '../../../site-languages.ts'
import styles from '../config.module.css'

/** Chooses the language of a list; a language besides the main one may have none, and then begins with a copy. */
export function ContentLanguage(props: {
  /** The title of the list. */
  title: string
  locale: Locale
  onChoose: (locale: Locale) => void
  /** Shown while the language has none; undefined when it has its own. */
  missing: string | undefined
  onCopy: () => void
  children: ReactNode
}) {
  const { title, locale, onChoose, missing, onCopy, children } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const main = useMainLocale()
  return (
    <>
      <div className="row">
        <Choices
          legend={<span className="visually-hidden">{`${t('config.preview.locale')}: ${title}`}</span>}
          options={useSiteLanguages().map(({ locale: value, name }) => ({ value, label: name }))}
          chosen={[locale]}
          onChoose={([chosen]) => chosen && onChoose(chosen)}
        />
        {missing && <span className={styles.missing}>{missing}</span>}
      </div>
      {missing ? (
        <div className="row">
          <Button variant="default" onClick={onCopy}>
            {t('config.areas.copy', { main: languageIn(main) })}
          </Button>
        </div>
      ) : (
        children
      )}
    </>
  )
}
