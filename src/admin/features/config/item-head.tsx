import { Button } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../i18n.ts'
import styles from './config.module.css'

/** The line of an item that is edited below it: its name, a remark, and the buttons to open and to remove it. */
export function ItemHead(props: {
  name: string
  note: ReactNode
  open: boolean
  onToggle: () => void
  onRemove: () => void
}) {
  const { name, note, open, onToggle, onRemove } = props
  const t = useText()
  const toggle = t(open ? 'config.offer.fold' : 'config.offer.edit')
  return (
    <div className={styles.itemHead}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <small>{note}</small>
      </p>
      <span className="row">
        <Button variant="default" aria-expanded={open} aria-label={`${toggle}: ${name}`} onClick={onToggle}>
          {toggle}
        </Button>
        <Button
          variant="subtle"
          className="danger"
          aria-label={t('config.sort.remove', { name })}
          title={t('config.sort.remove', { name })}
          onClick={onRemove}
        >
          <Trash2 size={18} aria-hidden />
        </Button>
      </span>
    </div>
  )
}
