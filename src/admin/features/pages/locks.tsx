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
  revertForbiddenChanges,
} from '../blocks/block-locks.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useCollection } from '../collections/collections.ts'
import type { PageEditor } from './page-editor.ts'

const LockForm = lazyPart(async () => (await import('./lock-form.tsx')).LockForm, <Loading rows={2} />)

/**
 * Provides the locks of a page, and the changes of the form that they forbid the user, to its blocks, and the dialog to lock a
 * block. In a page or block that is locked for the user's roles, the user can change only texts and images.
 */
export function PageLocksProvider({ editor, children }: { editor: PageEditor; children: ReactNode }) {
  const t = useText()
  const uiLocale = useLocale()
  const { page, text, change } = editor
  /** The id of the block whose dialog is open. */
  const [dialogBlockId, setDialogBlockId] = useState<string>()
  const blockLocks = useMemo(
    (): BlockLocks => ({
      locks: page.locks,
      // A translation that was never saved (version 0) has no saved text to compare with: the server compares it with the
      // text in another language. `page.locks` says which of them bind this user.
      userLock: page.version === 0 ? noLock : lockOf(page.locks),
      saved: page.text.body,
      onLock: page.can.lock && page.version > 0 ? setDialogBlockId : undefined,
    }),
    [page],
  )
  const entryFields = useCollection(page.collection)?.fields
  const { problems: violations, text: reverted } = useMemo(() => {
    // Until the collection is loaded, the types of its fields are unknown: the values of the entry are not compared.
    const saved = entryFields ? page.text : { ...page.text, fields: text.fields }
    return revertLockedChanges(saved, text, blockLocks.userLock, { entryFields })
  }, [page, text, blockLocks, entryFields])
  const lockedChanges: LockedChanges = {
    current: text.body,
    problems: violations,
    putBack(id) {
      if (id === undefined) {
        const { body, slug, noindex, fields } = reverted
        change({ body, slug, noindex, ...(fields && { fields }) })
      } else change({ body: revertForbiddenChanges(blockLocks, text.body, id) as typeof text.body })
    },
  }
  const dialogBlock = text.body.find(({ id }) => id === dialogBlockId)
  const closeDialog = () => setDialogBlockId(undefined)
  return (
    <LocksContext value={blockLocks}>
      <LockedChangesContext value={lockedChanges}>{children}</LockedChangesContext>
      {dialogBlock && (
        <Dialog title={t('blocks.lock.title', { name: blockName(dialogBlock.type, uiLocale) })} onClose={closeDialog}>
          <LockForm page={page} block={String(dialogBlock.id)} onClose={closeDialog} />
        </Dialog>
      )}
    </LocksContext>
  )
}

/** Says that the page is locked for the user, or has changes that a lock forbids, with a button to undo these. */
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
