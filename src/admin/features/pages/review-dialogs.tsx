import { Alert, Button, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { emptyText } from '../../../contract/empty-text.ts'
import { limits } from '../../../contract/limits.ts'
import type { PageInLocale, PageReview, ReviewOffer } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { Moment } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import { confirmExampleText } from './confirm-example-text.tsx'
import { Difference } from './difference.tsx'
import { RevisionLoader } from './history-entry.tsx'
import { nameWithin } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './pages.module.css'
import { pageHistory, revisionQuery } from './pages.ts'
import { useReviewAction } from './review-action.ts'

type Continuation = NonNullable<ReviewOffer['continues']>['as']

/** Saves what was changed, and offers it with a note, also in place of what another writer offered. */
export function OfferDialog(props: {
  work: PageEditor
  note: string
  setNote: (note: string) => void
  close: () => void
}) {
  const { work, note, setNote, close } = props
  const t = useText()
  const { id, locale } = work.page
  const [continuesAs, setContinuesAs] = useState<Continuation>('addition')
  const another = useOfferOfAnother(work.page)
  const offer = useReviewAction<number>(work, {
    send: (version) =>
      parseResponse(
        api.pages[':id'][':locale'].review.$post({
          param: { id: String(id), locale },
          json: { version, note, ...(another && { continues: { number: another.number, as: continuesAs } }) },
        }),
      ),
    done: 'pages.review.offered',
    onEnd() {
      setNote('')
      close()
    },
  })
  const submit = async () => {
    const version = work.dirty ? (await work.save(false))?.version : work.page.version
    // The form shows why it was not saved.
    if (version === undefined) close()
    else offer.mutate(version)
  }
  return (
    <Dialog title={t('pages.review.offer')} wide={another !== undefined} onClose={close}>
      {another && (
        <OfferOfAnother work={work} review={another} continuesAs={continuesAs} setContinuesAs={setContinuesAs} />
      )}
      <p>{t(work.dirty ? 'pages.review.offerSavesFirst' : 'pages.review.offerText')}</p>
      <Textarea
        label={t('pages.review.note')}
        data-autofocus
        autosize
        minRows={3}
        maxRows={10}
        maxLength={limits.reviewNoteChars}
        dir="auto"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <DialogActions onClose={close}>
        <Button variant="filled" loading={offer.isPending || work.saving !== undefined} onClick={() => void submit()}>
          {t(work.dirty ? 'pages.review.saveAndOffer' : 'pages.review.offer')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The waiting offer of another writer: what differs from it, and whether this one adds to it or takes it over. */
function OfferOfAnother(props: {
  work: PageEditor
  review: PageReview
  continuesAs: Continuation
  setContinuesAs: (chosen: Continuation) => void
}) {
  const { work, review, continuesAs, setContinuesAs } = props
  const t = useText()
  const { page } = work
  const name = nameWithin(review.offeredBy, t)
  const by = <bdi>{name}</bdi>
  return (
    <>
      <Alert title={t('pages.review.another')} icon={<ClipboardCheck />}>
        <p className="flush">
          <Translated text="pages.review.anotherNote" name={by} date={<Moment at={review.offeredAt} />} />
        </p>
        {review.note && (
          <p className={styles.note}>
            <bdi>{review.note}</bdi>
          </p>
        )}
      </Alert>
      <h3>{t('pages.review.anotherDifference')}</h3>
      <RevisionLoader history={pageHistory(page.id, page.locale)} id={review.revision}>
        {(before) => (
          <Difference before={before} after={work.text} contentLocale={page.locale} collection={page.collection} />
        )}
      </RevisionLoader>
      <div className={styles.continuation}>
        <ChoiceGroup
          legend={t('pages.review.continueAs')}
          options={[
            { value: 'addition', label: t('pages.review.addition'), hint: t('pages.review.additionHelp', { name }) },
            { value: 'takeover', label: t('pages.review.takeover'), hint: t('pages.review.takeoverHelp') },
          ]}
          chosen={[continuesAs]}
          onChoose={([chosen]) => chosen && setContinuesAs(chosen)}
        />
      </div>
    </>
  )
}

function useOfferOfAnother({ review }: PageInLocale): PageReview | undefined {
  const me = useMe()
  return review?.state === 'waiting' && review.offeredBy.id !== me.id ? review : undefined
}

/** The difference between what is live and what is offered, to publish or to send back. */
export function DecideDialog({ work, review, close }: { work: PageEditor; review: PageReview; close: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const [note, setNote] = useState('')
  const [noteMissing, setNoteMissing] = useState(false)
  const param = { id: String(page.id), locale: page.locale }
  const { number } = review
  const publish = useReviewAction(work, {
    send: () => parseResponse(api.pages[':id'][':locale'].review.publish.$post({ param, json: { number } })),
    done: 'pages.review.published',
    onEnd: close,
  })
  const sendBack = useReviewAction(work, {
    send: () => parseResponse(api.pages[':id'][':locale'].review.return.$post({ param, json: { number, note } })),
    done: 'pages.review.sentBack',
    onEnd: close,
  })
  const onPublish = async () => {
    // Only a warning: if the text cannot be loaded, publishing continues.
    const offered = await queries
      .ensureQueryData(revisionQuery(pageHistory(page.id, page.locale), review.revision))
      .catch(() => undefined)
    if (!offered || (await confirmExampleText(offered))) publish.mutate()
  }
  const onSendBack = () => {
    setNoteMissing(note.trim() === '')
    if (note.trim() !== '') sendBack.mutate()
  }
  const { liveRevision } = review
  return (
    <Dialog title={t('pages.review.title')} wide onClose={close}>
      <p className="quiet">{t(liveRevision === null ? 'pages.review.allNew' : 'pages.review.compared')}</p>
      <RevisionLoader history={pageHistory(page.id, page.locale)} id={review.revision}>
        {(after) =>
          liveRevision === null ? (
            <Difference before={emptyText} after={after} contentLocale={page.locale} collection={page.collection} />
          ) : (
            <RevisionLoader history={pageHistory(page.id, page.locale)} id={liveRevision}>
              {(before) => (
                <Difference before={before} after={after} contentLocale={page.locale} collection={page.collection} />
              )}
            </RevisionLoader>
          )
        }
      </RevisionLoader>
      <Textarea
        label={t('pages.review.answer')}
        description={t('pages.review.answerHelp')}
        error={noteMissing && note.trim() === '' ? t('validation.required') : undefined}
        autosize
        minRows={2}
        maxRows={10}
        mt="md"
        maxLength={limits.reviewNoteChars}
        dir="auto"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <DialogActions onClose={close}>
        <Button loading={sendBack.isPending} disabled={publish.isPending} onClick={onSendBack}>
          {t('pages.review.sendBack')}
        </Button>
        <Button
          variant="filled"
          loading={publish.isPending}
          disabled={sendBack.isPending}
          onClick={() => void onPublish()}
        >
          {t('pages.review.publish')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
