import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { toSeePages } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import styles from './blocks.module.css'
import { pageAtQuery } from './page-address.ts'

const ChoosePage = lazy(() => import('./choose-page.tsx'))

/** Where a link leads: typed, or one of the site's own pages. */
export function AddressField(props: {
  label: string
  value: string
  /** Of the content that it stands in. */
  locale: Locale
  onChange: (value: string) => void
  problem: string | undefined
}) {
  const { label, value, locale, onChange, problem } = props
  const t = useText()
  const seesPages = useRight(...toSeePages)
  const [choosing, setChoosing] = useState(false)
  return (
    <div className={styles.address}>
      <TextInput
        label={label}
        description={t('blocks.urlHelp')}
        error={problem}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {seesPages && (
        <>
          <Unseen value={value} locale={locale} />
          <Button
            variant="default"
            className="own"
            aria-label={t('blocks.page.chooseFor', { name: label })}
            onClick={() => setChoosing(true)}
          >
            {t('blocks.page.choose')}
          </Button>
        </>
      )}
      {choosing && (
        <Suspense fallback={null}>
          <ChoosePage
            locale={locale}
            onChoose={(address) => {
              onChange(address)
              setChoosing(false)
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** That visitors do not find what a link leads to is told, not refused: it may be published later. */
function Unseen({ value, locale }: { value: string; locale: Locale }) {
  const t = useText()
  const [typed] = useDebouncedValue(value, 400)
  const { data } = useQuery(pageAtQuery(typed, locale))
  const isUnseen = data?.seen === false && typed === value
  return (
    <p role="status" className={styles.unseenPage} hidden={!isUnseen}>
      {isUnseen && t('blocks.page.unpublished', { name: data.title })}
    </p>
  )
}
