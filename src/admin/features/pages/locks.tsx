import { Alert, Button } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { keepLocked } from '../../../blocks/lock.ts'
import { lockOf } from '../../../contract/locks.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { ApiRefusal, api, parseResponse } from '../../client.ts'
import { Choices } from '../../components/choices.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { lockText } from '../blocks/block-lock-icon.tsx'
import {
  type BlockLocks,
  type LockedChanges,
  LockedChangesContext,
  LocksContext,
  noLock,
  rolesOf,
  withoutProblemsOf,
} from '../blocks/block-locks.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import type { PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'

const locksQuery = (id: number) =>
  queryOptions({
    queryKey: ['pages', 'locks', id],
    queryFn: () => parseResponse(api.pages[':id'].locks.$get({ param: { id: String(id) } })),
    staleTime: 0,
  })

/** Everything about the locks of a page, for its blocks; with the dialog to lock one. */
export function PageLocks({ work, children }: { work: PageEditor; children: ReactNode }) {
  const t = useText()
  const uiLocale = useLocale()
  const { page, text, change } = work
  const [block, setBlock] = useState<string>()
  const locks = useMemo(
    (): BlockLocks => ({
      locks: page.locks,
      // The first text in a language is compared by the server, with that of the other.
      lock: page.version === 0 ? noLock : lockOf(page.locks),
      saved: page.text.body,
      onLock: page.can.lock && page.version > 0 ? setBlock : undefined,
    }),
    [page],
  )
  const entryFields = useCollection(page.collection)?.fields
  const { problems, text: kept } = useMemo(
    // The values of an entry are compared once its fields are known.
    () =>
      keepLocked(entryFields ? page.text : { ...page.text, fields: text.fields }, text, locks.lock, { entryFields }),
    [page, text, locks, entryFields],
  )
  const changes: LockedChanges = {
    now: text.body,
    problems,
    putBack(id) {
      if (id === undefined) {
        const { body, slug, noindex, fields } = kept
        change({ body, slug, noindex, ...(fields && { fields }) })
      } else change({ body: withoutProblemsOf(locks, text.body, id) as typeof text.body })
    },
  }
  const found = text.body.find(({ id }) => id === block)
  return (
    <LocksContext value={locks}>
      <LockedChangesContext value={changes}>{children}</LockedChangesContext>
      {found && (
        <Dialog
          title={t('blocks.lock.title', { name: blockName(found.type, uiLocale) })}
          onClose={() => setBlock(undefined)}
        >
          <LockForm page={page} block={String(found.id)} onClose={() => setBlock(undefined)} />
        </Dialog>
      )}
    </LocksContext>
  )
}

/** The roles that a page or a block is locked for. @param props.onClose in a dialog */
export function LockForm({ page, block, onClose }: { page: PageInLocale; block: string | null; onClose?: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(locksQuery(page.id))
  const [changed, setChanged] = useState<number[]>()
  const save = useMutation({
    mutationFn: (roles: number[]) =>
      parseResponse(api.pages[':id'].locks.$put({ param: { id: String(page.id) }, json: { block, roles } })),
    onSuccess(now) {
      queries.setQueryData(locksQuery(page.id).queryKey, now)
      queries.setQueryData(
        pageQuery(page.id, page.locale).queryKey,
        (before) => before && { ...before, locks: now.locks },
      )
      void queries.invalidateQueries({ queryKey: ['pages', 'detail', page.id] })
      setChanged(undefined)
      notify(t('blocks.lock.saved'))
      onClose?.()
    },
    onError: (refused) => notifyFailure(t('blocks.lock.notSaved'), refused),
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Loading rows={2} />
  const stored = data.locks.find((one) => one.block === block)?.roles ?? []
  const chosen = changed ?? stored.map(({ id }) => id)
  const known = new Map([...data.roles, ...stored].map((role) => [role.id, role.name]))
  const problems = save.error instanceof ApiRefusal ? save.error.problem.errors : []
  const button = (
    <Button loading={save.isPending} disabled={!changed} onClick={() => save.mutate(chosen)}>
      {t(block === null ? 'blocks.lock.savePage' : 'form.save')}
    </Button>
  )
  return (
    <div className="stack">
      <p className="quiet small flush">{t(block === null ? 'blocks.lock.pageHelp' : 'blocks.lock.blockHelp')}</p>
      {known.size === 0 && <p className="flush">{t('blocks.lock.noRoles')}</p>}
      {problems.map(({ path, message }) => (
        <Alert key={path} color="red" role="alert">
          {message}
        </Alert>
      ))}
      {known.size > 0 && (
        <Choices
          legend={t('blocks.lock.legend')}
          several
          options={[...known].map(([value, label]) => ({ value, label }))}
          chosen={chosen}
          onChoose={setChanged}
        />
      )}
      {onClose ? (
        <DialogActions onClose={onClose}>{button}</DialogActions>
      ) : (
        known.size > 0 && <div className="row">{button}</div>
      )}
    </div>
  )
}

/** Above the page: what a bound person can do there, and what has to be put back before it can be saved. */
export function LockNotice() {
  const t = useText()
  const { lock } = useContext(LocksContext)
  const { problems, putBack } = useContext(LockedChangesContext)
  if (!lock.page && problems.length === 0) return null
  return (
    <Alert {...(problems.length > 0 && { color: 'orange', role: 'alert' })}>
      <p className="flush">{t(problems.length > 0 ? 'blocks.lock.wrong' : 'blocks.lock.bound')}</p>
      {problems.length > 0 && (
        <Button variant="default" mt="sm" onClick={() => putBack()}>
          {t('blocks.lock.putBackAll')}
        </Button>
      )}
    </Alert>
  )
}

/** For which roles the page is locked: to change, or to know. */
export function PageLockSettings({ page }: { page: PageInLocale }) {
  const t = useText()
  const locale = useLocale()
  if (page.can.lock) return <LockForm page={page} block={null} />
  return <p className="flush">{lockText(rolesOf(page, null), t, locale) ?? t('blocks.lock.none')}</p>
}
