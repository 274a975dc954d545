import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CornerDownRight, PencilLine, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { NewRedirect, Redirect } from '../../../contract/redirects.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { IconButton } from '../../components/buttons.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { confirmDeletion, DialogForm } from '../../components/dialog.tsx'
import { focusFirstError, showProblems } from '../../components/form.tsx'
import { ListTools, NothingFound, searchField, sortOptions, useSearchChange } from '../../components/list-tools.tsx'
import { notify, notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { type RedirectSearch, redirectReadRights, redirectsQuery } from './redirects.ts'

export function RedirectsPage() {
  const t = useText()
  const mayWrite = useRight('pages.publish')
  const [isAdding, setIsAdding] = useState(false)
  const addButton = mayWrite && (
    <Button variant="filled" leftSection={<Plus />} onClick={() => setIsAdding(true)}>
      {t('redirects.add')}
    </Button>
  )
  return (
    <Page
      title={t('redirects.title')}
      lead={t('redirects.lead')}
      back={{ to: '/admin/pages', label: t('pages.title') }}
      allowed={useRight(...redirectReadRights)}
      actions={addButton}
    >
      <RedirectList mayWrite={mayWrite} addButton={addButton} />
      {isAdding && <RedirectDialog onClose={() => setIsAdding(false)} />}
    </Page>
  )
}

function RedirectList({ mayWrite, addButton }: { mayWrite: boolean; addButton: ReactNode }) {
  const t = useText()
  const search = useSearch({ from: '/admin/redirects' })
  const query = useQuery(redirectsQuery(search))
  const [edited, setEdited] = useState<Redirect>()
  const remove = useRemoveRedirect()
  const columns = useColumns()
  const change = useSearchChange<RedirectSearch>('/admin/redirects')
  const order = search.sort ?? '-createdAt'
  const setOrder = (sort: string) => change({ sort: sort as RedirectSearch['sort'] })

  return (
    <>
      <QueryList
        query={query}
        tools={
          <ListTools
            search={searchField(t('redirects.search'), search, change)}
            sorting={{
              options: sortOptions(t, 'redirects', ['-createdAt', 'createdAt', 'from', '-from']),
              by: order,
              set: setOrder,
            }}
          />
        }
        empty={
          search.search ? (
            <NothingFound
              title={t('redirects.none')}
              clear={() => change({ search: undefined })}
              label={t('form.list.clear')}
            />
          ) : (
            <Empty
              icon={CornerDownRight}
              title={t('redirects.empty')}
              text={t('redirects.emptyText')}
              action={addButton}
            />
          )
        }
        caption={t('redirects.title')}
        columns={columns}
        nameOf={({ from }) => from}
        sort={{ by: order, set: setOrder }}
        {...(mayWrite && {
          actions: (redirect: Redirect) => (
            <>
              <IconButton
                label={t('redirects.changeOne', { from: redirect.from })}
                icon={<PencilLine />}
                color="gray"
                onClick={() => setEdited(redirect)}
              />
              <IconButton
                label={t('redirects.deleteOne', { from: redirect.from })}
                icon={<Trash2 />}
                color="gray"
                onClick={() => void remove(redirect)}
              />
            </>
          ),
        })}
      />
      {edited && <RedirectDialog redirect={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

function useColumns(): Column<Redirect>[] {
  const t = useText()
  return [
    {
      label: t('redirects.from'),
      sort: 'from',
      cell: ({ from }) => (
        <strong>
          <bdi dir="ltr">{from}</bdi>
        </strong>
      ),
    },
    {
      label: t('redirects.to'),
      cell: ({ to }) => (to === null ? t('redirects.gone') : <bdi dir="ltr">{to}</bdi>),
    },
    {
      label: t('redirects.how'),
      cell: ({ automatic }) => t(automatic ? 'redirects.automatic' : 'redirects.byHand'),
    },
    {
      label: t('redirects.created'),
      sort: 'createdAt',
      cell: ({ createdAt, by }) => (
        <>
          <Moment at={createdAt} />
          <div className="quiet small">
            <bdi>{by.name}</bdi>
          </div>
        </>
      ),
    },
  ]
}

/** Returns a function that asks for confirmation, removes a redirect and offers an undo. */
function useRemoveRedirect(): (redirect: Redirect) => Promise<void> {
  const t = useText()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: ['redirects'] })
  const undo = useMutation({
    mutationFn: ({ from, to }: Redirect): Promise<Redirect> =>
      parseResponse(api.redirects.$post({ json: { from, to } })),
    onSuccess: () => notify(t('redirects.back')),
    onError: (error) => notifyFailure(t('redirects.notSaved'), error),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: async ({ id }: Redirect): Promise<void> =>
      void (await parseResponse(api.redirects[':id'].$delete({ param: { id: String(id) } }))),
    onSuccess: (_result, redirect) =>
      notify(<Translated text="redirects.deleted" from={<bdi dir="ltr">{redirect.from}</bdi>} />, () =>
        undo.mutate(redirect),
      ),
    onError: (error) => notifyFailure(t('redirects.notDeleted'), error),
    onSettled,
  })
  return async (redirect) => {
    const text = <Translated text="redirects.deleteText" from={<bdi dir="ltr">{redirect.from}</bdi>} />
    if (await confirmDeletion(t('redirects.type'), text)) remove.mutate(redirect)
  }
}

/** A dialog to edit a redirect, or to create one if there is none. */
function RedirectDialog({ redirect, onClose }: { redirect?: Redirect; onClose: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  // A redirect to null: the server answers with 410.
  const [isGone, setIsGone] = useState(redirect !== undefined && redirect.to === null)
  const form = useForm<NewRedirect & { to: string } & Record<string, unknown>>({
    initialValues: { from: redirect?.from ?? '/', to: redirect?.to ?? '/' },
  })
  const save = useMutation({
    mutationFn: ({ from, to }: NewRedirect): Promise<Redirect> =>
      redirect
        ? parseResponse(
            api.redirects[':id'].$put({
              param: { id: String(redirect.id) },
              json: { from, to, version: redirect.version },
            }),
          )
        : parseResponse(api.redirects.$post({ json: { from, to } })),
    onSuccess() {
      notify(t('redirects.saved'))
      onClose()
    },
    onError(error) {
      const unplaced = error instanceof ApiRefusal ? showProblems(error, form) : []
      const hasFieldErrors = error instanceof ApiRefusal && error.problem.errors.length > unplaced.length
      setFailure(hasFieldErrors ? undefined : error)
      focusFirstError('dialog')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['redirects'] }),
  })
  const pathFieldProps = { dir: 'ltr', autoCapitalize: 'none', spellCheck: false, required: true } as const
  return (
    <DialogForm
      title={t(redirect ? 'redirects.change' : 'redirects.add')}
      onClose={onClose}
      onSubmit={form.onSubmit(({ from, to }) => save.mutate({ from, to: isGone ? null : to }))}
      yes={t('form.save')}
      saving={save.isPending}
    >
      {failure !== undefined && (
        <Alert color="red" role="alert" title={t('redirects.notSaved')}>
          {reasonOf(failure)}
        </Alert>
      )}
      <TextInput
        label={t('redirects.from')}
        description={t('redirects.fromHelp')}
        autoFocus
        {...pathFieldProps}
        {...form.getInputProps('from')}
      />
      <Checkbox
        label={t('redirects.isGone')}
        description={t('redirects.isGoneHelp')}
        checked={isGone}
        onChange={(event) => setIsGone(event.currentTarget.checked)}
      />
      {!isGone && (
        <TextInput
          label={t('redirects.to')}
          description={t('redirects.toHelp')}
          {...pathFieldProps}
          {...form.getInputProps('to')}
        />
      )}
    </DialogForm>
  )
}
