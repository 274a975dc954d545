import { Alert, Button } from '@mantine/core'
import { type ReactNode, useContext, useMemo, useState } from 'react'
import { revertLockedChanges } from '../../../blocks/structure-lock.ts'
import { lockOf } from '../../../contract/locks.ts'
import { Dialog } from '../../components/dialog.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loading } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import {
  type BlockLocks,
  type LockedChanges,
  LockedChangesContext,
  LocksContext,
  noLock,
  revertDisallowed,
} from '../blocks/block-locks.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import type { PageEditor } from './page-editor.ts'

const LockForm = lazyPart(async () => (await import('./lock-form.tsx')).LockForm, <Loading rows={2} />)

/**
 * Provides the locks of a page to its blocks, with the dialog to lock one. In a locked page or block a user with one of the
 * chosen roles can change only texts and images.
 */
export function PageLocksProvider({ work, children }: { work: PageEditor; children: ReactNode }) {
  const t = useText()
  const uiLocale = useLocale()
  const { page, text, change } = work
  const [block, setBlock] = useState<string>()
  const locks = useMemo(
    (): BlockLocks => ({
      locks: page.locks,
      // A page without a saved text in this language yet is checked by the server, against its text in another language.
      userLock: page.version === 0 ? noLock : lockOf(page.locks),
      saved: page.text.body,
      onLock: page.can.lock && page.version > 0 ? setBlock : undefined,
    }),
    [page],
  )
  const entryFields = useCollection(page.collection)?.fields
  const { problems, text: reverted } = useMemo(
    // The values of an entry are compared once its fields are known.
    () =>
      revertLockedChanges(entryFields ? page.text : { ...page.text, fields: text.fields }, text, locks.userLock, {
        entryFields,
      }),
    [page, text, locks, entryFields],
  )
  const changes: LockedChanges = {
    current: text.body,
    problems,
    putBack(id) {
      if (id === undefined) {
        const { body, slug, noindex, fields } = reverted
        change({ body, slug, noindex, ...(fields && { fields }) })
      } else change({ body: revertDisallowed(locks, text.body, id) as typeof text.body })
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

/** Above the page: explains the locks, and lists the changes to undo before it can be saved. */
export function LockNotice() {
  const t = useText()
  const { userLock } = useContext(LocksContext)
  const { problems, putBack } = useContext(LockedChangesContext)
  if (!userLock.page && problems.length === 0) return null
  return (
    <Alert {...(problems.length > 0 && { color: 'orange', role: 'alert' })}>
      <p className="flush">{t(problems.length > 0 ? 'blocks.lock.wrong' : 'blocks.lock.bound')}</p>
      {problems.length > 0 && (
        <Button mt="sm" onClick={() => putBack()}>
          {t('blocks.lock.putBackAll')}
        </Button>
      )}
    </Alert>
  )
}
