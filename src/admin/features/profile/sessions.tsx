import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { Session } from '../../../contract/profile.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import styles from './profile.module.css'
import { sessionsQuery } from './profile.ts'

/** The user's active sessions, which can be ended here: one of the others, or all others. */
export function Sessions() {
  const t = useText()
  const queries = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const ending = useMutation({
    mutationFn: (session: Session | 'others') =>
      session === 'others'
        ? parseResponse(api.profile.sessions.$delete())
        : parseResponse(api.profile.sessions[':id'].$delete({ param: { id: String(session.id) } })),
    onSuccess: (_done, session) =>
      notify(t(session === 'others' ? 'profile.sessions.endedAll' : 'profile.sessions.ended')),
    onError: (error) => notifyFailure(t('profile.sessions.notEnded'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return (
    <Section
      title={t('profile.sessions.title')}
      lead={t('profile.sessions.lead')}
      actions={
        sessions &&
        sessions.length > 1 && (
          <Button loading={ending.isPending && ending.variables === 'others'} onClick={() => ending.mutate('others')}>
            {t('profile.sessions.endAll')}
          </Button>
        )
      }
    >
      {!sessions && <LoadingOrError error={error} refetch={refetch} rows={2} />}
      <ul className={styles.items}>
        {sessions?.map((session) => (
          <li key={session.id}>
            {isPhone(session.userAgent) ? <Smartphone size={20} /> : <Monitor size={20} />}
            <div className={styles.item}>
              <bdi>{nameOfAgent(session.userAgent) ?? t('profile.sessions.unknown')}</bdi>
              <small className="quiet">
                <Translated
                  text="profile.sessions.seen"
                  seen={<Moment at={session.lastSeenAt} />}
                  since={<Moment at={session.signedInAt} />}
                />
              </small>
            </div>
            {session.current ? (
              <Badge>{t('profile.sessions.current')}</Badge>
            ) : (
              <Button
                loading={ending.isPending && ending.variables === session}
                aria-label={t('profile.sessions.endOne', {
                  name: nameOfAgent(session.userAgent) ?? t('profile.sessions.unknown'),
                })}
                onClick={() => ending.mutate(session)}
              >
                {t('profile.sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Parts of user agents, in order: those of Edge and Opera also contain `Chrome/`, and almost all contain `Safari/`. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox\/|FxiOS/],
  ['Chrome', /Chrome\/|CriOS/],
  ['Safari', /Safari\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]
const matchName = (names: typeof browsers, agent: string) => names.find(([, pattern]) => pattern.test(agent))?.[0]

/** A short name of a browser by its user agent, such as `Firefox, Windows`; undefined when nothing is recognised. */
function nameOfAgent(agent: string | null): string | undefined {
  if (agent === null) return undefined
  return [matchName(browsers, agent), matchName(systems, agent)].filter(Boolean).join(', ') || undefined
}

const isPhone = (agent: string | null): boolean => /iPhone|Android.*Mobile/.test(agent ?? '')

export const currentBrowserName = (): string => nameOfAgent(navigator.userAgent) ?? ''
