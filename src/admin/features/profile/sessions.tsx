import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import type { Session } from '../../../contract/profile.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { Unloaded } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import styles from './profile.module.css'
import { sessionsQuery } from './profile.ts'

/** The active sessions, each with a button to end it. */
export function Sessions() {
  const t = useText()
  const queries = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useMutation({
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
          <Button loading={end.isPending && end.variables === 'others'} onClick={() => end.mutate('others')}>
            {t('profile.sessions.endAll')}
          </Button>
        )
      }
    >
      {!sessions && <Unloaded error={error} refetch={refetch} rows={2} />}
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
                loading={end.isPending && end.variables === session}
                aria-label={t('profile.sessions.endOne', {
                  name: nameOfAgent(session.userAgent) ?? t('profile.sessions.unknown'),
                })}
                onClick={() => end.mutate(session)}
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

const browsers: [name: string, mark: RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox\/|FxiOS/],
  ['Chrome', /Chrome\/|CriOS/],
  ['Safari', /Safari\//],
]
const systems: [name: string, mark: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]
const found = (list: typeof browsers, agent: string) => list.find(([, mark]) => mark.test(agent))?.[0]

/** A short name like `Firefox, Windows`; undefined when nothing is recognised. */
function nameOfAgent(agent: string | null): string | undefined {
  if (agent === null) return undefined
  return [found(browsers, agent), found(systems, agent)].filter(Boolean).join(', ') || undefined
}

const isPhone = (agent: string | null): boolean => /iPhone|Android.*Mobile/.test(agent ?? '')

export const thisBrowser = (): string => nameOfAgent(navigator.userAgent) ?? ''
