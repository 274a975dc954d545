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
import { matchesSearch } from '../../components/matches-search.ts'
import { useText } from '../../i18n.ts'
import { useSitePath } from '../../site-languages.ts'
import { configReadRights } from '../config/config.ts'
import { mayOpen, screens } from '../shell/screens.ts'
import { signOut, useMe } from '../sign-in/me.ts'
import { userReadRights, usersQuery } from '../users/users.ts'
import styles from './palette.module.css'

/** The command palette: finds screens, common actions and users by parts of their names. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const t = useText()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [currentIndex, setCurrentIndex] = useState(0)
  const [debounced] = useDebouncedValue(typed.trim(), 150)
  const people = usePeople(debounced, typed)
  const groups = [
    { label: t('palette.screens'), entries: filterByLabel(useScreens(), typed) },
    { label: t('palette.actions'), entries: filterByLabel(useActions(), typed) },
    { label: t('palette.people'), entries: people.entries },
  ].filter(({ entries }) => entries.length > 0)
  const entries = groups.flatMap((group) => group.entries)
  const current = entries[Math.min(currentIndex, entries.length - 1)]

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search starts at the first entry
  useEffect(() => setCurrentIndex(0), [typed])
  useEffect(() => {
    if (current) document.getElementById(`${id}${current.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])

  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      // The first entry follows the last.
      const nextIndex = Math.min(currentIndex, entries.length - 1) + step
      setCurrentIndex((nextIndex + entries.length) % entries.length)
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
                  onMouseMove={() => setCurrentIndex(indexOfEntry(groups, entry))}
                  onClick={() => choose(entry)}
                >
                  <entry.icon />
                  <bdi>{entry.label}</bdi>
                  {entry.detail && (
                    <bdi dir="ltr" className={styles.more}>
                      {entry.detail}
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
  /** Distinguishes entries with the same label. */
  detail?: string
  icon: LucideIcon
  run: () => void
}

function useScreens(): Entry[] {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  const configEntry = (part: ConfigScreen): Entry => ({
    id: `config-${part}`,
    label: t(`config.screens.${part}.title`),
    detail: t('config.title'),
    icon: SlidersHorizontal,
    run: () => void navigate({ to: '/admin/config/$part', params: { part } }),
  })
  return [...screens, { to: '/admin/profile', label: 'profile.title', icon: UserRound, rights: [] } as const]
    .filter((screen) => mayOpen(me, screen))
    .map(({ to, label, icon }): Entry => ({ id: to, label: t(label), icon, run: () => void navigate({ to }) }))
    .concat(hasRight(me, configReadRights) ? configScreens.map(configEntry) : [])
}

function useActions(): Entry[] {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const websitePath = useSitePath('/')
  return [
    hasRight(me, ['pages.write']) && {
      id: 'newPage',
      label: t('palette.newPage'),
      icon: FilePlus,
      run: () => void navigate({ to: '/admin/pages/new' }),
    },
    hasRight(me, ['users.write']) && {
      id: 'newUser',
      label: t('palette.newUser'),
      icon: UserPlus,
      run: () => void navigate({ to: '/admin/users/new' }),
    },
    hasRight(me, ['roles.write']) && {
      id: 'newRole',
      label: t('palette.newRole'),
      icon: Plus,
      run: () => void navigate({ to: '/admin/roles/new' }),
    },
    { id: 'light', label: t('palette.light'), icon: Sun, run: () => setColorScheme('light') },
    { id: 'dark', label: t('palette.dark'), icon: Moon, run: () => setColorScheme('dark') },
    { id: 'website', label: t('shell.website'), icon: ExternalLink, run: () => location.assign(websitePath) },
    { id: 'signOut', label: t('shell.signOut'), icon: LogOut, run: () => signOut() },
  ].filter((entry) => entry !== false)
}

/**
 * Searches users on the server, from two characters on. Until the results are there, the previous ones that match are
 * returned. @param search the debounced `typed`
 */
function usePeople(search: string, typed: string): { entries: Entry[]; state: 'searching' | 'failed' | undefined } {
  const me = useMe()
  const navigate = useNavigate()
  const enabled = [...search].length >= 2 && hasRight(me, userReadRights)
  const { data, isError, isFetching, isPlaceholderData } = useQuery({ ...usersQuery({ search }, 6), enabled })
  if (!enabled) return { entries: [], state: undefined }
  const isSearching = isFetching && (!data || isPlaceholderData)
  const entries = (data?.data ?? []).map((user) => ({
    id: `user${user.id}`,
    label: user.name,
    detail: user.email,
    icon: UserRound,
    run: () => void navigate({ to: '/admin/users/$id', params: { id: String(user.id) } }),
  }))
  const areOutdated = isPlaceholderData || search !== typed.trim()
  const failedState = isError ? 'failed' : undefined
  return {
    entries: areOutdated ? filterByLabel(entries, typed) : entries,
    state: isSearching ? 'searching' : failedState,
  }
}

const filterByLabel = (entries: Entry[], typed: string) => entries.filter(({ label }) => matchesSearch(label, typed))
