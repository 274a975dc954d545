import { Alert, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { api, parseResponse } from '../../client.ts'
import { reasonOf } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import bars from '../pages/editor-bar.module.css'
import styles from '../pages/editor-screen.module.css'
import { meQuery } from '../sign-in/me.ts'
import type { DraftState } from './draft-autosave.ts'

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
