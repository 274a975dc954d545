import { Alert, Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Refused } from '../client.ts'
import { useText } from '../i18n.ts'
import type { FieldProblem } from './form-problems.ts'
import { reasonOf } from './notify.tsx'
import styles from './save-bar.module.css'

/** The end of a form: saving, and beside it what else there is to do. */
export function SaveBar(props: { saving: boolean; disabled?: boolean; label?: string; children?: ReactNode }) {
  const { saving, disabled, label, children } = props
  const t = useText()
  return (
    <div className={styles.bar}>
      <Button type="submit" loading={saving} disabled={disabled ?? false}>
        {label ?? t('form.save')}
      </Button>
      {children}
    </div>
  )
}

/** That it was not saved, why, and what of it stands at no field. It is looked at unless a field is. */
export function NotSaved({ title, error, unplaced }: { title: string; error: unknown; unplaced: FieldProblem[] }) {
  const place = useRef<HTMLDivElement>(null)
  const atField = error instanceof Refused && error.problem.errors.length > unplaced.length
  useEffect(() => {
    if (atField) return
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'center' })
  }, [atField])
  return (
    <Alert ref={place} tabIndex={-1} color="red" role="alert" title={title} className={styles.failure}>
      {reasonOf(error)}
      {unplaced.length > 0 && (
        <ul>
          {unplaced.map(({ path, message }) => (
            <li key={path + message}>
              {path && <bdi dir="ltr">{path}: </bdi>}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  )
}
