import { Alert, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { api, parseResponse } from '../../client.ts'
import { Moment, momentText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import bars from '../pages/editor-bar.module.css'
import styles from '../pages/editor-screen.module.css'
import type { PageEditor } from '../pages/page-editor.ts'
import { meQuery } from '../sign-in/me.ts'
import type { DraftState } from './draft-autosave.ts'
import type { RecoverableDraft } from './recoverable-draft.ts'

/** Whether the draft is being saved, saved or not saved, in one line of the editor's bar. */
export function DraftStatus({ draft }: { draft: DraftState }) {
  const t = useText()
  const locale = useLocale()
  const { phase } = draft
  return (
    <div className={bars.draft} data-phase={phase}>
      {/* Always rendered, so that screen readers announce it once and not after each autosave. */}
      <span
        role="status"
        lang={locale === 'nl' ? 'en' : undefined}
        className={phase === 'saved' ? undefined : 'visually-hidden'}
      >
        {draft.savedAt && phase !== 'failed' && (
          <>
            <Check size={16} /> {t('pages.draft.saved')}
          </>
        )}
      </span>
      {(phase === 'waiting' || phase === 'saving') && (
        <span aria-hidden>
          <LoaderCircle size={16} /> {t('pages.draft.saving')}
        </span>
      )}
      {phase === 'failed' && (
        <span>
          <CloudOff size={16} /> {t('pages.draft.notSaved')}
        </span>
      )}
    </div>
  )
}

/** Why the draft is not on the server, where it is stored instead, and what to do. */
export function DraftFailure({ draft, retry }: { draft: DraftState; retry: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  if (draft.phase !== 'failed') return null
  const { failure = 'unreachable', error, storedLocally } = draft
  const signIn = async () => {
    // The request opens the reauthentication dialog.
    await parseResponse(api.me.$get()).then(
      (me) => queries.setQueryData(meQuery.queryKey, me),
      () => {},
    )
    retry()
  }
  return (
    <Alert color="red" role="alert" title={t('pages.draft.notSaved')} icon={<CloudOff />}>
      <p className="flush">
        {failure === 'refused' ? reasonOf(error) : t(`pages.draft.failure.${failure}`)}{' '}
        {t(storedLocally ? 'pages.draft.storedHere' : 'pages.draft.notStored')}
      </p>
      {failure === 'signed_out' ? (
        <Button className={styles.again ?? ''} onClick={() => void signIn()}>
          {t('pages.draft.signIn')}
        </Button>
      ) : (
        <Button className={styles.again ?? ''} onClick={retry}>
          {t('states.again')}
        </Button>
      )}
    </Alert>
  )
}

/**
 * Asks whether to continue with the draft that existed when the page was opened, in the specification's words. If the
 * user declines, the saved text is shown, and the draft stays: on the server until further typing replaces it or it is
 * discarded, and in this browser until it is loaded, discarded or too old.
 * @param props.onDone called when the draft was loaded, discarded or replaced
 */
export function DraftQuestion(props: { offer: RecoverableDraft; editor: PageEditor; onDone: () => void }) {
  const { offer, editor, onDone } = props
  const t = useText()
  const locale = useLocale()
  const [declined, setDeclined] = useState(false)
  const notice = useRef<HTMLDivElement>(null)
  // The dialog opened with the page, so closing it leaves the focus nowhere.
  useEffect(() => {
    if (declined) notice.current?.focus()
  }, [declined])
  // By a draft of what the user typed since, or by saving. When somebody else saves, the draft stays.
  const isReplaced = editor.draft.phase === 'saved' || editor.hasSaved
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the replacement matters
  useEffect(() => {
    if (declined && isReplaced) onDone()
  }, [declined, isReplaced])
  const date = momentText(new Date(offer.at), locale)
  const load = () => {
    onDone()
    const undo = editor.loadDraft(offer)
    if (undo) notify(t('pages.draft.replaced'), undo)
  }
  const discard = async () => {
    try {
      const undo = await editor.discardDraft(offer)
      onDone()
      notify(t('pages.draft.discarded'), undo)
    } catch (error) {
      notifyFailure(t('pages.draft.notDiscarded'), error)
    }
  }
  if (declined) {
    return (
      <div ref={notice} tabIndex={-1} className={styles.notice}>
        <p className="flush">
          <Translated text="pages.draft.waits" date={<Moment at={offer.at} />} />
        </p>
        <div className="row">
          <Button onClick={load}>{t('pages.draft.load')}</Button>
          <Button variant="subtle" onClick={() => void discard()}>
            {t('pages.draft.discard')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Dialog title={t('pages.draft.there')} alert onClose={() => setDeclined(true)}>
      <p lang={locale === 'nl' ? 'en' : undefined}>{t('pages.draft.question', { date })}</p>
      <p className="quiet">{t('pages.draft.stored')}</p>
      <DialogActions onClose={() => setDeclined(true)} close={t('pages.draft.decline')}>
        <Button variant="filled" data-autofocus onClick={load}>
          {t('pages.draft.load')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
