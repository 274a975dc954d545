import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Locale, localeNames, locales } from '../../../../contract/locales.ts'
import { Choices } from '../../../components/choices.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'

/** Chooses the language of a list that each language has of its own; Persian may have none, and then begins with a copy. */
export function ContentLanguage(props: {
  locale: Locale
  onChoose: (locale: Locale) => void
  /** Said while Persian has none; undefined when it has its own. */
  missing: string | undefined
  onCopy: () => void
  children: ReactNode
}) {
  const { locale, onChoose, missing, onCopy, children } = props
  const t = useText()
  return (
    <>
      <div className="row">
        <Choices
          legend={<span className="visually-hidden">{t('config.preview.locale')}</span>}
          options={locales.map((one) => ({ value: one, label: localeNames[one] }))}
          chosen={[locale]}
          onChoose={([chosen]) => onChoose(chosen as Locale)}
        />
        {missing && <span className={styles.missing}>{missing}</span>}
      </div>
      {missing && locale === 'fa' ? (
        <div className="row">
          <Button variant="default" onClick={onCopy}>
            {t('config.areas.copy')}
          </Button>
        </div>
      ) : (
        children
      )}
    </>
  )
}
