import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Ban, CircleCheck, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../../contract/users.ts'
import { DownloadButton, IconButton, LinkButton, TextLink } from '../../components/buttons.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment } from '../../components/dates.tsx'
import { NothingFound, useSearchChange } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, MailNotice } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { useBlockUsers } from './change-many-users.ts'
import { RoleName, StatusBadge, TwoFactorMark } from './user-facts.tsx'
import { SelectedUsers, UserTools, useExportUsers } from './user-tools.tsx'
import { orderOf, type UserSearch, userReadRights, usersQuery } from './users.ts'

export function UsersPage() {
  const t = useText()
  const mayWrite = useRight('users.write')
  const search = useSearch({ from: '/admin/users' })
  const exportUsers = useExportUsers()
  return (
    <Page
      title={t('users.title')}
      lead={t('users.lead')}
      allowed={useRight(...userReadRights)}
      actions={
        <>
          <DownloadButton
            label={t('users.export')}
            download={{ ...exportUsers, mutate: () => exportUsers.mutate({ search }) }}
          />
          {mayWrite && (
            <LinkButton variant="filled" to="/admin/users/new" leftSection={<UserPlus />}>
              {t('users.add')}
            </LinkButton>
          )}
        </>
      }
    >
      {mayWrite && <MailNotice />}
      <UserList search={search} mayWrite={mayWrite} />
    </Page>
  )
}

function UserList({ search, mayWrite }: { search: UserSearch; mayWrite: boolean }) {
  const t = useText()
  const query = useQuery(usersQuery(search))
  const [selected, setSelected] = useState<ReadonlyMap<number, User>>(new Map())
  const block = useBlockUsers()
  const columns = useColumns()
  const change = useSearchChange<UserSearch>('/admin/users')

  const isFiltered = search.search !== undefined || search.roleId !== undefined || search.blocked !== undefined
  return (
    <QueryList
      query={query}
      tools={
        <>
          <UserTools search={search} change={change} />
          {mayWrite && selected.size > 0 && (
            <SelectedUsers users={[...selected.values()]} block={block} done={() => setSelected(new Map())} />
          )}
        </>
      }
      empty={
        isFiltered ? (
          <NothingFound
            title={t('users.none')}
            text={t('users.noneText')}
            clear={() => change({ search: undefined, roleId: undefined, blocked: undefined })}
          />
        ) : (
          <Empty icon={Users} title={t('users.empty')} text={t('users.emptyText')} />
        )
      }
      caption={t('users.title')}
      columns={columns}
      nameOf={(user) => user.name}
      sort={{ by: orderOf(search), set: (sort) => change({ sort: sort as UserSearch['sort'] }) }}
      {...(mayWrite && {
        selection: { rows: selected, select: setSelected },
        actions: (user: User) => <BlockButton user={user} block={block} />,
      })}
    />
  )
}

function useColumns(): Column<User>[] {
  const t = useText()
  return [
    {
      label: t('users.name'),
      sort: 'name',
      cell: (user) => (
        <>
          <TextLink to="/admin/users/$id" params={{ id: String(user.id) }} fw={600}>
            <bdi>{user.name}</bdi>
          </TextLink>{' '}
          <TwoFactorMark user={user} />
          <div className="quiet small">
            <bdi dir="ltr">{user.email}</bdi>
          </div>
        </>
      ),
    },
    { label: t('users.role'), cell: (user) => <RoleName user={user} /> },
    { label: t('users.status'), cell: (user) => <StatusBadge user={user} /> },
    {
      label: t('users.lastSignIn'),
      sort: 'lastSignedInAt',
      cell: (user) =>
        user.lastSignedInAt ? <Moment at={user.lastSignedInAt} /> : <span className="quiet">{t('users.never')}</span>,
    },
    {
      label: t('users.added'),
      sort: 'createdAt',
      cell: (user) => <Moment at={user.createdAt} day />,
    },
  ]
}

function BlockButton({ user, block }: { user: User; block: ReturnType<typeof useBlockUsers> }) {
  const t = useText()
  if (!user.can.block) return null
  const label = t(user.blocked ? 'users.unblockOne' : 'users.blockOne', { name: user.name })
  return (
    <IconButton
      label={label}
      icon={user.blocked ? <CircleCheck /> : <Ban />}
      color={user.blocked ? 'brand' : 'gray'}
      onClick={() => block([user], !user.blocked)}
    />
  )
}
