import { Button, NativeSelect } from '@mantine/core'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useLocale, useText } from '../i18n.ts'
import { numberText } from './dates.ts'
import styles from './list-tools.module.css'

interface Sorting {
  options: { value: string; label: string }[]
  by: string
  set: (by: string) => void
  /** There are no column heads at any width. */
  always?: boolean
}

/** What stands above a list: searching, filters that fold away, and sorting for who has no column heads. */
export function ListTools(props: {
  search: ReactNode
  /** How many filters are on. */
  filtered?: number
  onClear?: () => void
  filters?: ReactNode
  sorting?: Sorting
}) {
  const { search, filtered = 0, onClear, filters, sorting } = props
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const [open, setOpen] = useState(filtered > 0)
  return (
    <div className={styles.tools}>
      <div className={styles.search}>{search}</div>
      {sorting && (
        <NativeSelect
          className={sorting.always ? styles.always : styles.sort}
          aria-label={t('form.list.sort')}
          data={sorting.options}
          value={sorting.by}
          onChange={(event) => sorting.set(event.currentTarget.value)}
        />
      )}
      {filters && (
        <>
          <Button
            variant="default"
            leftSection={<SlidersHorizontal size={18} aria-hidden />}
            rightSection={filtered > 0 ? <span className={styles.count}>{numberText(filtered, locale)}</span> : null}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {t('form.list.filter')}
          </Button>
          <div id={id} className={styles.filters} hidden={!open}>
            {filters}
            {filtered > 0 && (
              <Button variant="subtle" onClick={onClear}>
                {t('form.list.noFilter')}
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}
