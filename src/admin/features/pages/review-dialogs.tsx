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
import { TextDiff } from './difference.tsx'
import { RevisionLoader } from './history-entry.tsx'
import { nameWithin } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './pages.module.css'
import { pageHistory, revisionQuery } from './pages.ts'
import { useReviewAction } from './review-action.ts'

type Continuation = NonNullable<ReviewOffer['continues']>['as']

/** The dialog that saves the changes and offers the page for review, also when another writer's offer waits. */
export function OfferDialog(props: {
  editor: PageEditor
  note: string
  setNote: (note: string) => void
  close: () => void
}) {
  const { editor, note, setNote, close } = props
  const t = useText()
  const { id, locale } = editor.page
  const [continuesAs, setContinuesAs] = useState<Continuation>('addition')
  const otherOffer = useWaitingOfferOfOther(editor.page)
  const offer = useReviewAction<number>(editor, {
    send: (version) =>
      parseResponse(
        api.pages[':id'][':locale'].review.$post({
          param: { id: String(id), locale },
          json: { version, note, ...(otherOffer && { continues: { number: otherOffer.number, as: continuesAs } }) },
        }),
      ),
    done: 'pages.review.offered',
    onEnd() {
      setNote('')
      close()
    },
  })
  const submit = async () => {
    const version = editor.dirty ? (await editor.save(false))?.version : editor.page.version
    // The form shows why it was not saved.
    if (version === undefined) close()
    else offer.mutate(version)
  }
  return (
    <Dialog title={t('pages.review.offer')} wide={otherOffer !== undefined} onClose={close}>
      {otherOffer && (
        <ContinueOffer editor={editor} review={otherOffer} continuesAs={continuesAs} setContinuesAs={setContinuesAs} />
      )}
      <p>{t(editor.dirty ? 'pages.review.offerSavesFirst' : 'pages.review.offerText')}</p>
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
        <Button variant="filled" loading={offer.isPending || editor.saving !== undefined} onClick={() => void submit()}>
          {t(editor.dirty ? 'pages.review.saveAndOffer' : 'pages.review.offer')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** What differs from the waiting offer of another writer, and the choice to add to that offer or to take it over. */
function ContinueOffer(props: {
  editor: PageEditor
  review: PageReview
  continuesAs: Continuation
  setContinuesAs: (chosen: Continuation) => void
}) {
  const { editor, review, continuesAs, setContinuesAs } = props
  const t = useText()
  const { page } = editor
  const name = nameWithin(review.offeredBy, t)
  const offeredBy = <bdi>{name}</bdi>
  return (
    <>
      <Alert title={t('pages.review.another')} icon={<ClipboardCheck />}>
        <p className="flush">
          <Translated text="pages.review.anotherNote" name={offeredBy} date={<Moment at={review.offeredAt} />} />
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
          <TextDiff before={before} after={editor.text} contentLocale={page.locale} collection={page.collection} />
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

function useWaitingOfferOfOther({ review }: PageInLocale): PageReview | undefined {
  const me = useMe()
  return review?.state === 'waiting' && review.offeredBy.id !== me.id ? review : undefined
}

/** The dialog in which a reviewer sees what differs from the live text, and publishes the offer or sends it back. */
export function DecideDialog({ editor, review, close }: { editor: PageEditor; review: PageReview; close: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = editor
  const [note, setNote] = useState('')
  const [noteMissing, setNoteMissing] = useState(false)
  const param = { id: String(page.id), locale: page.locale }
  const { number } = review
  const publish = useReviewAction(editor, {
    send: () => parseResponse(api.pages[':id'][':locale'].review.publish.$post({ param, json: { number } })),
    done: 'pages.review.published',
    onEnd: close,
  })
  const sendBack = useReviewAction(editor, {
    send: () => parseResponse(api.pages[':id'][':locale'].review.return.$post({ param, json: { number, note } })),
    done: 'pages.review.sentBack',
    onEnd: close,
  })
  const onPublish = async () => {
    // Without the text there is no warning of example texts, but publishing continues.
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
            <TextDiff before={emptyText} after={after} contentLocale={page.locale} collection={page.collection} />
          ) : (
            <RevisionLoader history={pageHistory(page.id, page.locale)} id={liveRevision}>
              {(before) => (
                <TextDiff before={before} after={after} contentLocale={page.locale} collection={page.collection} />
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
