import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  ExternalLink,
  FilePlus,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  SlidersHorizontal,
  Sun,
  UserPlus,
  UserRound,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { type ConfigScreen, configScreens } from '../../../contract/admin-start.ts'
import { hasRight } from '../../../contract/rights.ts'
import { useText } from '../../i18n.ts'
import { configReadRights } from '../config/config.ts'
import { mayOpen, screens } from '../shell/screens.ts'
import { signOut, useMe } from '../sign-in/me.ts'
import { userReadRights, usersQuery } from '../users/users.ts'
import styles from './palette.module.css'

/** The command palette: finds screens, common actions and users by a part of their name. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [settled] = useDebouncedValue(typed.trim(), 150)
  const people = usePeople(settled, typed)
  const groups = [
    { label: t('palette.screens'), entries: matching(useScreens(), typed) },
    { label: t('palette.actions'), entries: matching(useActions(), typed) },
    { label: t('palette.people'), entries: people.entries },
  ].filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(at, entries.length - 1)]

  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query starts at the first entry
  useEffect(() => setAt(0), [typed])
  useEffect(() => {
    if (current) document.getElementById(`${id}${current.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(current)
    }
  }

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t('palette.open')}
      onClose={() => {
        if (!dialog.current?.open) onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div className={styles.inside}>
        <div className={styles.field}>
          <Search size={20} />
          <input
            role="combobox"
            aria-expanded={entries.length > 0}
            aria-controls={id}
            aria-activedescendant={current ? `${id}${current.id}` : undefined}
            aria-autocomplete="list"
            aria-label={t('palette.hint')}
            placeholder={t('palette.hint')}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        {(people.state || entries.length === 0) && (
          <p role={people.state === 'failed' ? 'alert' : 'status'} className={styles.nothing}>
            {t(`palette.${people.state ?? 'nothing'}`)}
          </p>
        )}
        <div id={id} role="listbox" aria-label={t('palette.open')} className={styles.list}>
          {groups.map(({ label, entries }, group) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups, not fieldsets
            <div key={label} role="group" aria-labelledby={`${id}group${group}`}>
              <p id={`${id}group${group}`}>{label}</p>
              {entries.map((entry) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                <div
                  key={entry.id}
                  id={`${id}${entry.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current}
                  onMouseMove={() => setAt(indexOfEntry(groups, entry))}
                  onClick={() => choose(entry)}
                >
                  <entry.icon />
                  <bdi>{entry.label}</bdi>
                  {entry.more && (
                    <bdi dir="ltr" className={styles.more}>
                      {entry.more}
                    </bdi>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
    </dialog>
  )
}

const indexOfEntry = (groups: { entries: Entry[] }[], entry: Entry) =>
  groups.flatMap(({ entries }) => entries).indexOf(entry)

/** One entry of the command palette. */
interface Entry {
  id: string
  label: string
  /** Distinguishes entries with the same name. */
  more?: string
  icon: LucideIcon
  go: () => void
}

function useScreens(): Entry[] {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  const configEntry = (part: ConfigScreen): Entry => ({
    id: `config-${part}`,
    label: t(`config.screens.${part}.title`),
    more: t('config.title'),
    icon: SlidersHorizontal,
    go: () => void navigate({ to: '/admin/config/$part', params: { part } }),
  })
  return [...screens, { to: '/admin/profile', label: 'profile.title', icon: UserRound, rights: [] } as const]
    .filter((screen) => mayOpen(me, screen))
    .map(({ to, label, icon }): Entry => ({ id: to, label: t(label), icon, go: () => void navigate({ to }) }))
    .concat(hasRight(me, configReadRights) ? configScreens.map(configEntry) : [])
}

function useActions(): Entry[] {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  return [
    hasRight(me, ['pages.write']) && {
      id: 'newPage',
      label: t('palette.newPage'),
      icon: FilePlus,
      go: () => void navigate({ to: '/admin/pages/new' }),
    },
    hasRight(me, ['users.write']) && {
      id: 'newUser',
      label: t('palette.newUser'),
      icon: UserPlus,
      go: () => void navigate({ to: '/admin/users/new' }),
    },
    hasRight(me, ['roles.write']) && {
      id: 'newRole',
      label: t('palette.newRole'),
      icon: Plus,
      go: () => void navigate({ to: '/admin/roles/new' }),
    },
    { id: 'light', label: t('palette.light'), icon: Sun, go: () => setColorScheme('light') },
    { id: 'dark', label: t('palette.dark'), icon: Moon, go: () => setColorScheme('dark') },
    { id: 'website', label: t('shell.website'), icon: ExternalLink, go: () => location.assign('/') },
    { id: 'signOut', label: t('shell.signOut'), icon: LogOut, go: () => signOut() },
  ].filter((entry) => entry !== false)
}

/**
 * Searches users on the server, from two characters on.
 * @param search what was typed, once it is settled; until it has results, those found before that match `typed` are shown
 */
function usePeople(search: string, typed: string): { entries: Entry[]; state: 'searching' | 'failed' | undefined } {
  const me = useMe()
  const navigate = useNavigate()
  const enabled = [...search].length >= 2 && hasRight(me, userReadRights)
  const { data, isError, isFetching, isPlaceholderData } = useQuery({ ...usersQuery({ search }, 6), enabled })
  if (!enabled) return { entries: [], state: undefined }
  const waits = isFetching && (!data || isPlaceholderData)
  const entries = (data?.data ?? []).map((user) => ({
    id: `user${user.id}`,
    label: user.name,
    more: user.email,
    icon: UserRound,
    go: () => void navigate({ to: '/admin/users/$id', params: { id: String(user.id) } }),
  }))
  const isOld = isPlaceholderData || search !== typed.trim()
  return {
    entries: isOld ? matching(entries, typed) : entries,
    state: waits ? 'searching' : isError ? 'failed' : undefined,
  }
}

/** Every typed word must occur in the label, ignoring accents and case. */
function matching(entries: Entry[], typed: string): Entry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  return entries.filter(({ label }) => words.every((word) => plain(label).includes(word)))
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
