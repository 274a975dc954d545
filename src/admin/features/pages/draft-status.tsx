import { Alert, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, LoaderCircle } from 'lucide-react'
import { answer, api } from '../../client.ts'
import { reasonOf } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'
import type { DraftState } from './draft-keeper.ts'
import styles from './page-form.module.css'

/** Whether what is typed is safe, in a line. */
export function DraftStatus({ draft }: { draft: DraftState }) {
  const t = useText()
  const locale = useLocale()
  const { phase } = draft
  return (
    <div className={styles.draft} data-phase={phase}>
      {/* Said once, and not anew with each second of typing. */}
      <span
        role="status"
        lang={locale === 'nl' ? 'en' : undefined}
        className={phase === 'saved' ? undefined : 'unseen'}
      >
        {draft.savedAt && phase !== 'failed' && (
          <>
            <Check size={16} aria-hidden /> {t('pages.draft.saved')}
          </>
        )}
      </span>
      {(phase === 'waiting' || phase === 'saving') && (
        <span aria-hidden>
          <LoaderCircle size={16} aria-hidden /> {t('pages.draft.saving')}
        </span>
      )}
      {phase === 'failed' && (
        <span>
          <CloudOff size={16} aria-hidden /> {t('pages.draft.notSaved')}
        </span>
      )}
    </div>
  )
}

/** Why the draft is not on the server, where it is instead, and what to do. */
export function DraftTrouble({ draft, retry }: { draft: DraftState; retry: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  if (draft.phase !== 'failed') return null
  const { trouble = 'unreachable', error, kept } = draft
  const signIn = async () => {
    // Asks for the password in place.
    await answer(api.me.$get()).then(
      (me) => queries.setQueryData(meQuery.queryKey, me),
      () => {},
    )
    retry()
  }
  return (
    <Alert color="red" role="alert" title={t('pages.draft.notSaved')} icon={<CloudOff size={18} aria-hidden />}>
      <p className="flush">
        {trouble === 'refused' ? reasonOf(error) : t(`pages.draft.trouble.${trouble}`)}{' '}
        {t(kept ? 'pages.draft.keptHere' : 'pages.draft.notKept')}
      </p>
      {trouble === 'signed_out' ? (
        <Button variant="default" className={styles.again ?? ''} onClick={() => void signIn()}>
          {t('pages.draft.signIn')}
        </Button>
      ) : (
        <Button variant="default" className={styles.again ?? ''} onClick={retry}>
          {t('states.again')}
        </Button>
      )}
    </Alert>
  )
}
