import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import styles from './blocks.module.css'
import { linkablePagesQuery } from './page-address.ts'

/** Asks which page of the site a link leads to. */
export default function ChoosePage(props: {
  locale: Locale
  onChoose: (address: string) => void
  onClose: () => void
}) {
  const { locale, onChoose, onClose } = props
  const t = useText()
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery({
    ...linkablePagesQuery(search, locale),
    placeholderData: keepPreviousData,
  })
  return (
    <Dialog title={t('blocks.page.title')} onClose={onClose}>
      <SearchField label={t('blocks.page.search')} value={search} onSearch={setSearch} />
      {error ? <Failed error={error} retry={refetch} /> : !data && <Waiting rows={4} />}
      {data && (
        <>
          <p role="status" className={styles.found}>
            {t('blocks.page.found', { count: data.meta.total })}
          </p>
          <ul className={styles.pages}>
            {data.data.map(({ id, title, address, seen }) => (
              <li key={id}>
                <button type="button" onClick={() => onChoose(address)}>
                  <bdi>{title}</bdi>
                  <small className="quiet">
                    <bdi dir="ltr">{address}</bdi>
                    {!seen && <span>{t('blocks.page.notYet')}</span>}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('form.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
