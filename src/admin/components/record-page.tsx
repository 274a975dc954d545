import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { isApiRefusal } from '../client.ts'
import { useText } from '../i18n.ts'
import { confirmInDialog } from './dialog.tsx'
import { Page } from './page.tsx'
import { NotAllowed, NotFound, Unloaded } from './states.tsx'

/** The screen of one record, which may be loading, missing or not allowed. */
export function RecordPage<Entity>(props: {
  query: Pick<UseQueryResult<Entity>, 'data' | 'error' | 'refetch'>
  maySee: boolean
  nameOf: (record: Entity) => string
  /** The title while there is no record. */
  title: string
  back: Parameters<typeof Page>[0]['back']
  actions: (record: Entity) => ReactNode
  narrow?: boolean
  children: (record: Entity) => ReactNode
}) {
  const { query, maySee, nameOf, title, back, actions, narrow = false, children } = props
  const { data: record, error, refetch } = query
  if (isApiRefusal(error, 'not_found')) return <NotFound />
  const name = record && nameOf(record)
  return (
    <Page
      title={name ?? title}
      heading={name === undefined ? title : <bdi>{name}</bdi>}
      {...(back && { back })}
      actions={record && actions(record)}
      narrow={narrow}
    >
      {!maySee && <NotAllowed />}
      {maySee && !record && <Unloaded error={error} refetch={refetch} rows={5} />}
      {record && children(record)}
    </Page>
  )
}

/** Deletes a record after confirmation. */
export function DeleteButton(props: {
  /** The kind of record, as in ‘delete this {type}?’. */
  type: string
  text: ReactNode
  loading: boolean
  disabled?: boolean
  title?: string | undefined
  describedBy?: string | undefined
  onDelete: () => void
}) {
  const { type, text, loading, disabled = false, title, describedBy, onDelete } = props
  const t = useText()
  const confirmAndDelete = async () => {
    const sure = await confirmInDialog({
      title: t('form.deleteQuestion', { type }),
      text,
      yes: t('form.delete'),
      danger: true,
    })
    if (sure) onDelete()
  }
  return (
    <Button
      className="danger"
      leftSection={<Trash2 />}
      disabled={disabled}
      title={title}
      aria-describedby={describedBy}
      loading={loading}
      onClick={() => void confirmAndDelete()}
    >
      {t('form.delete')}
    </Button>
  )
}
