import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../i18n.ts'
import styles from './chosen-bar.module.css'

/** How many of a list are chosen, and what can be done with them. */
export function ChosenBar(props: {
  label: string
  count: number
  done: () => void
  /** What stands beside the number. */
  remark?: string | undefined
  children: ReactNode
}) {
  const { label, count, done, remark, children } = props
  const t = useText()
  return (
    <section className={styles.chosen} aria-label={label}>
      <p role="status">
        {t('form.list.selected', { count })}
        {remark && ` – ${remark}`}
      </p>
      <div className={styles.acts}>
        {children}
        <Button variant="subtle" onClick={done}>
          {t('form.list.deselect')}
        </Button>
      </div>
    </section>
  )
}
