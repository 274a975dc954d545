import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { AuditRow } from '../../../contract/audit.ts'
import type { Dashboard } from '../../../contract/dashboard.ts'
import { languageName } from '../../../contract/locales.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment, numberText } from '../../components/dates.tsx'
import { Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useLocale, useText } from '../../i18n.ts'
import { AuditSubject } from '../audit/subject.tsx'
import { useRight } from '../sign-in/me.ts'
import { dashboardQuery } from './dashboard.ts'
import styles from './home.module.css'

/** What is new since the previous visit: counts, reviews, drafts, and the latest changes by others. */
export function News() {
  const t = useText()
  const { data, error, refetch } = useQuery(dashboardQuery)
  return (
    <Section title={t('home.news')} lead={data && <Since dashboard={data} />}>
      {!data && <LoadingOrError error={error} refetch={refetch} rows={3} />}
      {data && <Counts news={data.news} />}
      {data?.news.reviews && <Reviews reviews={data.news.reviews} />}
      {data?.news.drafts && <PageTexts title={t('home.drafts')} texts={data.news.drafts.mine} />}
      {data?.news.changes && <RecentChanges changes={data.news.changes} />}
    </Section>
  )
}

function Since({ dashboard }: { dashboard: Dashboard }) {
  const t = useText()
  if (dashboard.firstVisit) return t('home.firstVisit')
  return <Translated text="home.since" date={<Moment at={dashboard.since} />} />
}

function Counts({ news }: { news: Dashboard['news'] }) {
  const t = useText()
  const mayPublish = useRight('pages.publish')
  const { messages, users, mail, drafts, reviews } = news
  if (!messages && !users && !mail && !drafts && !reviews) return <p className="flush">{t('home.nothingNew')}</p>
  return (
    <ul className={styles.counts}>
      {messages && <Count text="home.newMessages" count={messages.new} to="/admin/messages" />}
      {users && <Count text="home.newUsers" count={users.new} to="/admin/users" search={{ sort: '-createdAt' }} />}
      {reviews && mayPublish && <Count text="home.reviewsWait" count={reviews.count} {...pagesLink('review')} />}
      {drafts && <Count text="home.draftsWait" count={drafts.mineCount} {...pagesLink('draft')} />}
      {mail && <Count text="home.mailWaits" count={mail.waiting} {...mailLink('waiting')} />}
      {mail && <Count text="home.mailFailed" count={mail.failed} {...mailLink('failed')} isProblem={mail.failed > 0} />}
    </ul>
  )
}

const pagesLink = (status: 'review' | 'draft') => ({ to: '/admin/pages', search: { status } }) as const
const mailLink = (state: 'waiting' | 'failed') => ({ to: '/admin/mail', search: { state } }) as const

/** A count with a link to its list. */
function Count(props: { text: TextKey; count: number; isProblem?: boolean } & Pick<LinkProps, 'to' | 'search'>) {
  const { text, count, isProblem, ...link } = props
  const t = useText()
  const locale = useLocale()
  return (
    <li data-none={count === 0 || undefined} data-wrong={isProblem || undefined}>
      <b>{numberText(count, locale)}</b>
      <span>
        <TextLink {...link}>{t(text, { count })}</TextLink>
      </span>
    </li>
  )
}

type ReviewNews = NonNullable<Dashboard['news']['reviews']>
type DraftNews = NonNullable<Dashboard['news']['drafts']>

/** Texts that wait for the user's review, and texts of the user that were sent back or that others offered again. */
function Reviews({ reviews }: { reviews: ReviewNews }) {
  const t = useText()
  const { waiting, returned, continued, count } = reviews
  return (
    <>
      <PageTexts title={t('home.toReview')} texts={waiting} />
      {count > waiting.length && <TextLink {...pagesLink('review')}>{t('home.allReviews', { count })}</TextLink>}
      <PageTexts title={t('home.sentBack')} texts={returned} />
      <PageTexts title={t('home.added')} texts={continued.filter(({ takenOver }) => !takenOver)} />
      <PageTexts title={t('home.takenOver')} texts={continued.filter(({ takenOver }) => takenOver)} />
    </>
  )
}

/** Links to the editors of pages, each in one language. */
function PageTexts({ title, texts }: { title: string; texts: ReviewNews['waiting'] | DraftNews['mine'] }) {
  if (texts.length === 0) return null
  return (
    <div>
      <h3 className={styles.head}>{title}</h3>
      <ul className={styles.changes}>
        {texts.map((text) => (
          <li key={`${text.pageId}.${text.locale}`}>
            <TextLink to="/admin/pages/$id/$locale" params={{ id: String(text.pageId), locale: text.locale }}>
              <bdi>{text.title}</bdi>
            </TextLink>
            {'note' in text && text.note && (
              <p className={styles.note}>
                <bdi>{text.note}</bdi>
              </p>
            )}
            <small className="quiet">
              <bdi>{languageName(text.locale)}</bdi> ·{' '}
              {'by' in text && (
                <>
                  <bdi>{text.by.name}</bdi> ·{' '}
                </>
              )}
              <Moment at={'at' in text ? text.at : text.savedAt} />
            </small>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The latest changes by others. */
function RecentChanges({ changes }: { changes: AuditRow[] }) {
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
