import { Alert, Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PageInLocale } from '../../../contract/pages.ts'
import { roleName } from '../../../contract/rights.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { ErrorState, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { lockText } from '../blocks/block-lock-icon.tsx'
import { rolesOf } from '../blocks/block-locks.ts'
import { pageQuery } from './pages.ts'

const locksQuery = (id: number) =>
  queryOptions({
    queryKey: ['pages', 'locks', id],
    queryFn: () => parseResponse(api.pages[':id'].locks.$get({ param: { id: String(id) } })),
    staleTime: 0,
  })

/** Chooses the roles that a page or a block is locked for. @param props.block its id; null: the page */
export function LockForm({ page, block, onClose }: { page: PageInLocale; block: string | null; onClose?: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(locksQuery(page.id))
  /** The ids of the chosen roles; undefined: those that are stored. */
  const [changed, setChanged] = useState<number[]>()
  const save = useMutation({
    mutationFn: (roles: number[]) =>
      parseResponse(api.pages[':id'].locks.$put({ param: { id: String(page.id) }, json: { block, roles } })),
    onSuccess(saved) {
      queries.setQueryData(locksQuery(page.id).queryKey, saved)
      queries.setQueryData(
        pageQuery(page.id, page.locale).queryKey,
        (cachedPage) => cachedPage && { ...cachedPage, locks: saved.locks },
      )
      void queries.invalidateQueries({ queryKey: ['pages', 'detail', page.id] })
      setChanged(undefined)
      notify(t('blocks.lock.saved'))
      onClose?.()
    },
    onError: (saveError) => notifyFailure(t('blocks.lock.notSaved'), saveError),
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading rows={2} />
  const stored = data.locks.find((lock) => lock.block === block)?.roles ?? []
  const chosen = changed ?? stored.map(({ id }) => id)
  // A stored role can be one that a page can no longer be locked for.
  const roleNames = new Map([...data.roles, ...stored].map((role) => [role.id, roleName(role, t)]))
  const problems = save.error instanceof ApiRefusal ? save.error.problem.errors : []
  const saveButton = (
    <Button variant="filled" loading={save.isPending} disabled={!changed} onClick={() => save.mutate(chosen)}>
      {t(block === null ? 'blocks.lock.savePage' : 'form.save')}
    </Button>
  )
  return (
    <div className="stack">
      <p className="quiet small flush">{t(block === null ? 'blocks.lock.pageHelp' : 'blocks.lock.blockHelp')}</p>
      {roleNames.size === 0 && <p className="flush">{t('blocks.lock.noRoles')}</p>}
      {problems.map(({ path, message }) => (
        <Alert key={path} color="red" role="alert">
          {message}
        </Alert>
      ))}
      {roleNames.size > 0 && (
        <ChoiceGroup
          legend={t('blocks.lock.legend')}
          multiple
          options={[...roleNames].map(([value, label]) => ({ value, label }))}
          chosen={chosen}
          onChoose={setChanged}
        />
      )}
      {onClose ? (
        <DialogActions onClose={onClose}>{saveButton}</DialogActions>
      ) : (
        roleNames.size > 0 && <div className="row">{saveButton}</div>
      )}
    </div>
  )
}

/** The roles that the whole page is locked for: a form, or text for users who may not lock it. */
export function PageLockSettings({ page }: { page: PageInLocale }) {
  const t = useText()
  const locale = useLocale()
  if (page.can.lock) return <LockForm page={page} block={null} />
  return <p className="flush">{lockText(rolesOf(page, null), t, locale) ?? t('blocks.lock.none')}</p>
}
