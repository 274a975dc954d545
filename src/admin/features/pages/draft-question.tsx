import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { momentText } from '../../components/dates.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useLocale, useText } from '../../i18n.ts'
import type { OfferedDraft } from './open-draft.ts'
import styles from './page-form.module.css'
import type { PageWork } from './page-work.ts'

/**
 * Asks about the draft that was there when the page was opened, in the specification's words. Who declines keeps what is
 * saved, and the draft stays until it is replaced or thrown away.
 */
export function DraftQuestion({ offer, work, over }: { offer: OfferedDraft; work: PageWork; over: () => void }) {
  const t = useText()
  const locale = useLocale()
  const [declined, setDeclined] = useState(false)
  const begun = useRef(work.baseVersion)
  const replaced = work.draft.phase === 'saved' || work.baseVersion !== begun.current
  // What is typed from then on replaces it, and so does what is saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that it was replaced matters
  useEffect(() => {
    if (declined && replaced) over()
  }, [declined, replaced])
  const date = momentText(new Date(offer.at), locale)
  const load = () => {
    over()
    work.load(offer)
  }
  const discard = async () => {
    try {
      const thrown = await work.discard(offer)
      over()
      tell(t('pages.draft.thrownAway'), () => work.change(thrown))
    } catch (error) {
      tellFailure(t('pages.draft.notThrownAway'), error)
    }
  }
  if (declined) {
    return (
      <div className={styles.notice}>
        <p className="flush">
          <Said text="pages.draft.waits" date={<Moment at={offer.at} />} />
        </p>
        <div className="row">
          <Button variant="default" onClick={load}>
            {t('pages.draft.load')}
          </Button>
          <Button variant="subtle" onClick={() => void discard()}>
            {t('pages.draft.throwAway')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <Dialog title={t('pages.draft.there')} alert onClose={() => setDeclined(true)}>
      <p lang={locale === 'nl' ? 'en' : undefined}>{t('pages.draft.question', { date })}</p>
      <p className="quiet">{t('pages.draft.kept')}</p>
      <DialogActions>
        <Button variant="default" onClick={() => setDeclined(true)}>
          {t('pages.draft.decline')}
        </Button>
        <Button autoFocus onClick={load}>
          {t('pages.draft.load')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
