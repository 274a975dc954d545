import { Button } from '@mantine/core'
import { type QueryKey, type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { isApiRefusal } from '../client.ts'
import { useText } from '../i18n.ts'
import { confirmDeletion } from './dialog.tsx'
import { notify, notifyFailure } from './notify.tsx'
import { type BackLink, NotFound, Page } from './page.tsx'
import { LoadingOrError } from './states.tsx'

/** The screen of one record, or that it is loading, missing, failed or not allowed. */
export function RecordPage<Entity>(props: {
  query: Pick<UseQueryResult<Entity>, 'data' | 'error' | 'refetch'>
  maySee: boolean
  nameOf: (record: Entity) => string
  /** The title while there is no record. */
  title: string
  back: BackLink
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
      back={back}
      actions={record && actions(record)}
      allowed={maySee}
      narrow={narrow}
    >
      {record ? children(record) : <LoadingOrError error={error} refetch={refetch} rows={5} />}
    </Page>
  )
}

/** A button that deletes a record after confirmation, and then shows the list. */
export function DeleteButton(props: {
  /** The kind of record, as in ‘delete this {type}?’. */
  type: string
  text: ReactNode
  /** @throws {ApiRefusal} */
  remove: () => Promise<unknown>
  deleted: ReactNode
  notDeleted: string
  list: '/admin/users' | '/admin/roles' | '/admin/files' | '/admin/sections'
  /** The key of the record's query. */
  queryKey: QueryKey
  /** The first key of each query whose data includes the record. */
  staleKeys: readonly string[]
  disabled?: boolean
  title?: string | undefined
  describedBy?: string | undefined
}) {
  const { type, text, remove, deleted, notDeleted, list, queryKey, staleKeys, disabled, title, describedBy } = props
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const deletion = useMutation({
    mutationFn: remove,
    async onSuccess() {
      notify(deleted)
      await navigate({ to: list, ignoreBlocker: true })
      queries.removeQueries({ queryKey })
      for (const key of staleKeys) void queries.invalidateQueries({ queryKey: [key] })
    },
    onError(error) {
      notifyFailure(notDeleted, error)
      // The record may be in use since this screen was loaded, which the server refuses.
      void queries.invalidateQueries({ queryKey })
    },
  })
  const confirmAndDelete = async () => {
    if (await confirmDeletion(type, text)) deletion.mutate()
  }
  return (
    <Button
      className="danger"
      leftSection={<Trash2 />}
      disabled={disabled ?? false}
      title={title}
      aria-describedby={describedBy}
      loading={deletion.isPending}
      onClick={() => void confirmAndDelete()}
    >
      {t('form.delete')}
    </Button>
  )
}
