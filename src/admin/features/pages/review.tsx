import { Alert, Button } from '@mantine/core'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import type { PageReview } from '../../../contract/pages.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { lazyPart, openWhenLoaded } from '../../components/lazy-part.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import screen from './editor-screen.module.css'
import { nameWithin } from './page-badges.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './pages.module.css'
import { useReviewAction } from './review-action.ts'

const OfferDialog = lazyPart(async () => (await import('./review-dialogs.tsx')).OfferDialog)
const DecideDialog = lazyPart(async () => (await import('./review-dialogs.tsx')).DecideDialog)

/** The review that waits for a decision or was sent back, with the actions of its author or reviewer. */
export function ReviewNotice({ editor }: { editor: PageEditor }) {
  const { page } = editor
  const { review } = page
  const isWaiting = review?.state === 'waiting'
  if (!review || (!isWaiting && review.state !== 'returned')) return null
  return (
    <div className={screen.review}>
      <ReviewNotes review={review} />
      {isWaiting && page.version > review.version && <SavedSinceOffer editor={editor} />}
      {isWaiting && page.can.publish && <DecideButton editor={editor} review={review} />}
      {isWaiting && page.can.change && !page.can.publish && review.can.withdraw && (
        <WithdrawButton editor={editor} review={review} />
      )}
    </div>
  )
}

/** Offers the page for review, for an author who may not publish. Nothing when there are no changes to offer. */
export function OfferForReview({ editor }: { editor: PageEditor }) {
  const { page } = editor
  const { review } = page
  const isWaiting = review?.state === 'waiting'
  const hasUnpublishedText = page.version > 0 && (page.state !== 'published' || editor.dirty)
  const isAllOffered = isWaiting && page.version <= review.version && !editor.dirty
  if (!hasUnpublishedText || isAllOffered) return null
  return <OfferButton editor={editor} isRepeated={isWaiting && review.can.withdraw} />
}

/** Who offered the text or sent it back, when, and with what note; and the offers of others that it continues. */
function ReviewNotes({ review }: { review: PageReview }) {
  const t = useText()
  const { state, offeredBy, offeredAt, endedBy, endedAt } = review
  const isReturned = state === 'returned' && endedBy && endedAt
  const [by, at, note] = isReturned ? [endedBy, endedAt, review.answer] : [offeredBy, offeredAt, review.note]
  return (
    <Alert title={t(isReturned ? 'pages.review.returned' : 'pages.review.waiting')} icon={<ClipboardCheck />}>
      <p className="flush">
        <Translated text="pages.savedBy" date={<Moment at={at} />} name={<bdi>{nameWithin(by, t)}</bdi>} />
      </p>
      {note && (
        <p className={styles.note}>
          <bdi>{note}</bdi>
        </p>
      )}
      {review.earlier.map((earlier) => (
        <div key={earlier.number}>
          <p className={styles.note}>
            <Translated
              text={earlier.takenOver ? 'pages.review.earlierTaken' : 'pages.review.earlierAdded'}
              date={<Moment at={earlier.offeredAt} />}
              name={<bdi>{nameWithin(earlier.offeredBy, t)}</bdi>}
            />
          </p>
          {earlier.note && (
            <p className={styles.note}>
              <bdi>{earlier.note}</bdi>
            </p>
          )}
        </div>
      ))}
    </Alert>
  )
}

function SavedSinceOffer({ editor }: { editor: PageEditor }) {
  const t = useText()
  return (
    <p className="quiet small flush">
      {t(editor.page.can.publish ? 'pages.review.newerForReviewer' : 'pages.review.newerForAuthor')}
    </p>
  )
}

/** @param props.isRepeated the user has an offer that waits, which this one replaces */
function OfferButton({ editor, isRepeated }: { editor: PageEditor; isRepeated: boolean }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  // Outside the dialog, which closes when saving fails: the note stays.
  const [note, setNote] = useState('')
  return (
    <>
      <Button
        variant="filled"
        leftSection={<ClipboardCheck />}
        onClick={() => void openWhenLoaded(OfferDialog, () => setOpen(true))}
      >
        {t(isRepeated ? 'pages.review.offerAgain' : 'pages.review.offer')}
      </Button>
      {open && <OfferDialog editor={editor} note={note} setNote={setNote} close={() => setOpen(false)} />}
    </>
  )
}

function DecideButton({ editor, review }: { editor: PageEditor; review: PageReview }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="filled"
        leftSection={<ClipboardCheck />}
        onClick={() => void openWhenLoaded(DecideDialog, () => setOpen(true))}
      >
        {t('pages.review.decide')}
      </Button>
      {open && <DecideDialog editor={editor} review={review} close={() => setOpen(false)} />}
    </>
  )
}

function WithdrawButton({ editor, review }: { editor: PageEditor; review: PageReview }) {
  const t = useText()
  const { id, locale } = editor.page
  const withdraw = useReviewAction(editor, {
    send: () =>
      parseResponse(
        api.pages[':id'][':locale'].review.withdraw.$post({
          param: { id: String(id), locale },
          json: { number: review.number },
        }),
      ),
    done: 'pages.review.withdrawn',
  })
  const previousOffer = review.earlier.at(-1)
  return (
    <>
      <Button variant="subtle" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t('pages.review.withdraw')}
      </Button>
      {previousOffer && (
        <p className="quiet small flush">
          {t('pages.review.withdrawRestores', { name: nameWithin(previousOffer.offeredBy, t) })}
        </p>
      )}
    </>
  )
}
