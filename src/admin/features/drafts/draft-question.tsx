import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Moment, momentText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import styles from '../pages/editor-screen.module.css'
import type { PageEditor } from '../pages/page-editor.ts'
import { discardDraft, isRestored, loadDraft } from './draft-actions.ts'
import type { RecoverableDraft } from './recoverable-draft.ts'

// The editor loads it on demand from here, so that the question and its actions are one chunk.
export { discardDraft }

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
  const navigate = useNavigate()
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
    loadDraft(editor, offer)
  }
  const isRestoredDraft = isRestored(offer)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (isRestoredDraft) load()
  }, [])
  const discard = async () => {
    try {
      await discardDraft(editor, navigate, offer)
      onDone()
    } catch (error) {
      notifyFailure(t('pages.draft.notDiscarded'), error)
    }
  }
  if (isRestoredDraft) return null
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
