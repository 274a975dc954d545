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

/** The review of a page, as long as it waits for somebody, with what its author or reviewer can do. */
export function ReviewNotice({ work }: { work: PageEditor }) {
  const { page } = work
  const { review } = page
  const waits = review?.state === 'waiting'
  if (!review || (!waits && review.state !== 'returned')) return null
  return (
    <div className={screen.review}>
      <ReviewNotes review={review} />
      {waits && page.version > review.version && <SavedSince work={work} />}
      {waits && page.can.publish && <Decide work={work} review={review} />}
      {waits && page.can.change && !page.can.publish && review.can.withdraw && <Withdraw work={work} review={review} />}
    </div>
  )
}

/** For an author who may not publish. */
export function OfferForReview({ work }: { work: PageEditor }) {
  const { page } = work
  const { review } = page
  const waits = review?.state === 'waiting'
  const isNew = page.version > 0 && (page.state !== 'published' || work.dirty)
  if (!isNew || (waits && page.version <= review.version && !work.dirty)) return null
  return <Offer work={work} again={waits && review.can.withdraw} />
}

/** The user who submitted the text or sent it back, the note, and earlier submissions of others. */
function ReviewNotes({ review }: { review: PageReview }) {
  const t = useText()
  const { state, offeredBy, offeredAt, endedBy, endedAt } = review
  const returned = state === 'returned' && endedBy && endedAt
  const [by, at, note] = returned ? [endedBy, endedAt, review.answer] : [offeredBy, offeredAt, review.note]
  return (
    <Alert title={t(returned ? 'pages.review.returned' : 'pages.review.waiting')} icon={<ClipboardCheck />}>
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

function SavedSince({ work }: { work: PageEditor }) {
  const t = useText()
  return (
    <p className="quiet small flush">
      {t(work.page.can.publish ? 'pages.review.newerForReviewer' : 'pages.review.newerForAuthor')}
    </p>
  )
}

function Offer({ work, again }: { work: PageEditor; again: boolean }) {
  const t = useText()
  const [open, setOpen] = useState(false)
  // Stays in state while the dialog is closed, because saving may fail first.
  const [note, setNote] = useState('')
  return (
    <>
      <Button
        variant="filled"
        leftSection={<ClipboardCheck />}
        onClick={() => void openWhenLoaded(OfferDialog, () => setOpen(true))}
      >
        {t(again ? 'pages.review.offerAgain' : 'pages.review.offer')}
      </Button>
      {open && <OfferDialog work={work} note={note} setNote={setNote} close={() => setOpen(false)} />}
    </>
  )
}

function Decide({ work, review }: { work: PageEditor; review: PageReview }) {
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
      {open && <DecideDialog work={work} review={review} close={() => setOpen(false)} />}
    </>
  )
}

function Withdraw({ work, review }: { work: PageEditor; review: PageReview }) {
  const t = useText()
  const { id, locale } = work.page
  const withdraw = useReviewAction(work, {
    send: () =>
      parseResponse(
        api.pages[':id'][':locale'].review.withdraw.$post({
          param: { id: String(id), locale },
          json: { number: review.number },
        }),
      ),
    done: 'pages.review.withdrawn',
  })
  const earlier = review.earlier.at(-1)
  return (
    <>
      <Button variant="subtle" loading={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t('pages.review.withdraw')}
      </Button>
      {earlier && (
        <p className="quiet small flush">
          {t('pages.review.withdrawRestores', { name: nameWithin(earlier.offeredBy, t) })}
        </p>
      )}
    </>
  )
}
