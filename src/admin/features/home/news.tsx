import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { AuditRow } from '../../../contract/audit.ts'
import type { Dashboard } from '../../../contract/dashboard.ts'
import { languageName } from '../../../contract/locales.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment, numberText } from '../../components/dates.tsx'
import { Section } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type TextKey, useLocale, useText } from '../../i18n.ts'
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
      {data?.news.drafts && <Texts title={t('home.drafts')} texts={data.news.drafts.mine} />}
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
      {messages && <Count text="home.newMessages" count={messages.new} to="/admin/messages" />}
      {users && <Count text="home.newUsers" count={users.new} to="/admin/users" search={{ sort: '-createdAt' }} />}
      {reviews && mayPublish && <Count text="home.reviewsWait" count={reviews.count} {...pagesOf('review')} />}
      {drafts && <Count text="home.draftsWait" count={drafts.mineCount} {...pagesOf('draft')} />}
      {mail && <Count text="home.mailWaits" count={mail.waiting} {...mailOf('waiting')} />}
      {mail && <Count text="home.mailFailed" count={mail.failed} {...mailOf('failed')} wrong={mail.failed > 0} />}
    </ul>
  )
}

const pagesOf = (status: 'review' | 'draft') => ({ to: '/admin/pages', search: { status } }) as const
const mailOf = (state: 'waiting' | 'failed') => ({ to: '/admin/mail', search: { state } }) as const

function Count(props: { text: TextKey; count: number; wrong?: boolean } & Pick<LinkProps, 'to' | 'search'>) {
  const { text, count, wrong, ...link } = props
  const t = useText()
  const locale = useLocale()
  return (
    <li data-none={count === 0 || undefined} data-wrong={wrong || undefined}>
      <b>{numberText(count, locale)}</b>
      <span>
        <TextLink {...link}>{t(text, { count })}</TextLink>
      </span>
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
      <Texts title={t('home.toReview')} texts={waiting} />
      {count > waiting.length && <TextLink {...pagesOf('review')}>{t('home.allReviews', { count })}</TextLink>}
      <Texts title={t('home.sentBack')} texts={returned} />
      <Texts title={t('home.added')} texts={continued.filter(({ takenOver }) => !takenOver)} />
      <Texts title={t('home.takenOver')} texts={continued.filter(({ takenOver }) => takenOver)} />
    </>
  )
}

type Drafts = NonNullable<Dashboard['news']['drafts']>['mine']

/** Texts of pages. */
function Texts({ title, texts }: { title: string; texts: ReviewsOf['waiting'] | Drafts }) {
  if (texts.length === 0) return null
  return (
    <div>
      <h3 className={styles.head}>{title}</h3>
      <ul className={styles.changes}>
        {texts.map((one) => (
          <li key={`${one.pageId}.${one.locale}`}>
            <TextLink to="/admin/pages/$id/$locale" params={{ id: String(one.pageId), locale: one.locale }}>
              <bdi>{one.title}</bdi>
            </TextLink>
            {'note' in one && one.note && (
              <p className={styles.note}>
                <bdi>{one.note}</bdi>
              </p>
            )}
            <small className="quiet">
              <bdi>{languageName(one.locale)}</bdi> ·{' '}
              {'by' in one && (
                <>
                  <bdi>{one.by.name}</bdi> ·{' '}
                </>
              )}
              <Moment at={'at' in one ? one.at : one.savedAt} />
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
