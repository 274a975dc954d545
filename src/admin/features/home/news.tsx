import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../contract/audit.ts'
import type { Dashboard } from '../../../contract/dashboard.ts'
import { languageName } from '../../../contract/locales.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment, numberText } from '../../components/dates.tsx'
import { Section } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { AuditSubject } from '../audit/subject.tsx'
import { useRight } from '../sign-in/me.ts'
import { dashboardQuery } from './dashboard.ts'
import styles from './home.module.css'

/** The news since the previous visit. */
export function News() {
  const t = useText()
  const { data, error, refetch } = useQuery(dashboardQuery)
  return (
    <Section title={t('home.news')} lead={data && <Since news={data} />}>
      {!data && <Unloaded error={error} refetch={refetch} rows={3} />}
      {data && <Counts news={data.news} />}
      {data?.news.reviews && <Reviews reviews={data.news.reviews} />}
      {data?.news.drafts && <Drafts drafts={data.news.drafts.mine} />}
      {data?.news.changes && <Changes changes={data.news.changes} />}
    </Section>
  )
}

function Since({ news }: { news: Dashboard }) {
  const t = useText()
  if (news.firstVisit) return t('home.firstVisit')
  return <Translated text="home.since" date={<Moment at={news.since} />} />
}

function Counts({ news }: { news: Dashboard['news'] }) {
  const t = useText()
  const mayPublish = useRight('pages.publish')
  const { messages, users, mail, drafts, reviews } = news
  if (!messages && !users && !mail && !drafts && !reviews) return <p className="flush">{t('home.nothingNew')}</p>
  return (
    <ul className={styles.counts}>
      {messages && (
        <Count count={messages.new}>
          <TextLink to="/admin/messages">{t('home.newMessages', { count: messages.new })}</TextLink>
        </Count>
      )}
      {users && (
        <Count count={users.new}>
          <TextLink to="/admin/users" search={{ sort: '-createdAt' }}>
            {t('home.newUsers', { count: users.new })}
          </TextLink>
        </Count>
      )}
      {reviews && mayPublish && (
        <Count count={reviews.count}>
          <TextLink to="/admin/pages" search={{ status: 'review' }}>
            {t('home.reviewsWait', { count: reviews.count })}
          </TextLink>
        </Count>
      )}
      {drafts && (
        <Count count={drafts.mineCount}>
          <TextLink to="/admin/pages" search={{ status: 'draft' }}>
            {t('home.draftsWait', { count: drafts.mineCount })}
          </TextLink>
        </Count>
      )}
      {mail && (
        <Count count={mail.waiting}>
          <TextLink to="/admin/mail" search={{ state: 'waiting' }}>
            {t('home.mailWaits', { count: mail.waiting })}
          </TextLink>
        </Count>
      )}
      {mail && (
        <Count count={mail.failed} wrong={mail.failed > 0}>
          <TextLink to="/admin/mail" search={{ state: 'failed' }}>
            {t('home.mailFailed', { count: mail.failed })}
          </TextLink>
        </Count>
      )}
    </ul>
  )
}

function Count({ count, wrong, children }: { count: number; wrong?: boolean; children: ReactNode }) {
  const locale = useLocale()
  return (
    <li data-none={count === 0 || undefined} data-wrong={wrong || undefined}>
      <b>{numberText(count, locale)}</b>
      <span>{children}</span>
    </li>
  )
}

type ReviewsOf = NonNullable<Dashboard['news']['reviews']>

/** Texts that wait for the user's review, and texts of the user that were sent back or that others offered again. */
function Reviews({ reviews }: { reviews: ReviewsOf }) {
  const t = useText()
  const { waiting, returned, continued, count } = reviews
  return (
    <>
      <ReviewItems title={t('home.toReview')} items={waiting} />
      {count > waiting.length && (
        <TextLink to="/admin/pages" search={{ status: 'review' }}>
          {t('home.allReviews', { count })}
        </TextLink>
      )}
      <ReviewItems title={t('home.sentBack')} items={returned} />
      <ReviewItems title={t('home.added')} items={continued.filter(({ takenOver }) => !takenOver)} />
      <ReviewItems title={t('home.takenOver')} items={continued.filter(({ takenOver }) => takenOver)} />
    </>
  )
}

function ReviewItems({ title, items }: { title: string; items: ReviewsOf['waiting'] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3 className={styles.head}>{title}</h3>
      <ul className={styles.changes}>
        {items.map(({ pageId, locale, title, by, at, note }) => (
          <li key={`${pageId}.${locale}`}>
            <TextLink to="/admin/pages/$id/$locale" params={{ id: String(pageId), locale }}>
              <bdi>{title}</bdi>
            </TextLink>
            {note && (
              <p className={styles.note}>
                <bdi>{note}</bdi>
              </p>
            )}
            <small className="quiet">
              <bdi>{languageName(locale)}</bdi> · <bdi>{by.name}</bdi> · <Moment at={at} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The user's own unsaved drafts. */
function Drafts({ drafts }: { drafts: NonNullable<Dashboard['news']['drafts']>['mine'] }) {
  const t = useText()
  if (drafts.length === 0) return null
  return (
    <div>
      <h3 className={styles.head}>{t('home.drafts')}</h3>
      <ul className={styles.changes}>
        {drafts.map(({ pageId, locale, title, savedAt }) => (
          <li key={`${pageId}.${locale}`}>
            <TextLink to="/admin/pages/$id/$locale" params={{ id: String(pageId), locale }}>
              <bdi>{title}</bdi>
            </TextLink>
            <small className="quiet">
              <bdi>{languageName(locale)}</bdi> · <Moment at={savedAt} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The latest changes by others. */
function Changes({ changes }: { changes: AuditRow[] }) {
  const t = useText()
  return (
    <div>
      <h3 className={styles.head}>{t('home.changes')}</h3>
      {changes.length === 0 && <p className="quiet flush">{t('audit.empty')}</p>}
      <ul className={styles.changes}>
        {changes.map((row) => (
          <li key={row.id}>
            <div>
              <strong>{row.label}</strong> <AuditSubject row={row} />
            </div>
            <small className="quiet">
              <bdi>{row.actor.name}</bdi> · <Moment at={row.at} />
            </small>
          </li>
        ))}
      </ul>
      {changes.length > 0 && <TextLink to="/admin/audit">{t('home.allChanges')}</TextLink>}
    </div>
  )
}
