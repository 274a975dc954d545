import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  ExternalLink,
  FilePlus,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  SlidersHorizontal,
  Sun,
  UserPlus,
  UserRound,
} from 'lucide-react'
import { hasRight } from '../../../contract/rights.ts'
import { useText } from '../../i18n.ts'
import { type ConfigScreen, configScreens, toSeeConfig } from '../config/config.ts'
import { mayOpen, screens } from '../shell/screens.ts'
import { useMe } from '../sign-in/me.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { toSeeUsers, usersQuery } from '../users/users.ts'

/** One line of the palette. */
export interface Entry {
  id: string
  label: string
  /** What tells two of one name apart. */
  more?: string
  icon: LucideIcon
  go: () => void
}

export function useScreens(): Entry[] {
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
    .concat(hasRight(me, toSeeConfig) ? configScreens.map(configEntry) : [])
}

export function useActions(): Entry[] {
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
    { id: 'signOut', label: t('shell.signOut'), icon: LogOut, go: () => void signOut() },
  ].filter((entry) => entry !== false)
}

/** People are looked for on the server, from two letters on. */
export function usePeople(search: string): { entries: Entry[]; state: 'searching' | 'failed' | undefined } {
  const me = useMe()
  const navigate = useNavigate()
  const enabled = [...search].length >= 2 && hasRight(me, toSeeUsers)
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
  return { entries, state: waits ? 'searching' : isError ? 'failed' : undefined }
}

/** Every word typed must be a part of the label; accents and capitals do not count. */
export function matching(entries: Entry[], typed: string): Entry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  return entries.filter(({ label }) => words.every((word) => plain(label).includes(word)))
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
