import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ban, CircleCheck, Download, UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import type { User } from '../../../contract/users.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { LinkButton, TextLink } from '../../components/link-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { isPastTheEnd, Pager, ToLastPage } from '../../components/pager.tsx'
import { Empty, Failed, NoRight, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { isAt } from '../../search.ts'
import { useRight } from '../sign-in/me.ts'
import { useBlocking } from './change-many.ts'
import { ChosenUsers } from './chosen-users.tsx'
import { useExport } from './export-users.ts'
import { RoleName, StatusBadge, TwoFactorMark } from './user-bits.tsx'
import { UserTools } from './user-tools.tsx'
import { orderOf, toSeeUsers, type UserSearch, usersQuery } from './users.ts'

export function UsersPage() {
  const t = useText()
  const maySee = useRight(...toSeeUsers)
  const mayWrite = useRight('users.write')
  const search = useSearch({ from: '/admin/users' })
  const save = useExport()
  return (
    <Page
      title={t('users.title')}
      lead={t('users.lead')}
      actions={
        maySee && (
          <>
            <Button
              variant="default"
              leftSection={<Download size={18} aria-hidden />}
              loading={save.isPending}
              onClick={() => save.mutate({ search })}
            >
              {t('users.export')}
            </Button>
            {mayWrite && (
              <LinkButton to="/admin/users/new" leftSection={<UserPlus size={18} aria-hidden />}>
                {t('users.add')}
              </LinkButton>
            )}
          </>
        )
      }
    >
      {maySee ? <UserList search={search} mayWrite={mayWrite} /> : <NoRight />}
    </Page>
  )
}

function UserList({ search, mayWrite }: { search: UserSearch; mayWrite: boolean }) {
  const t = useText()
  const navigate = useNavigate({ from: '/admin/users' })
  const { data, error, refetch, isPlaceholderData } = useQuery(usersQuery(search))
  const [chosen, choose] = useState<ReadonlyMap<number, User>>(new Map())
  const block = useBlocking()
  const columns = useColumns()
  const change = (changes: Partial<UserSearch>) => {
    if (!isAt('/admin/users')) return
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true })
  }

  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const asked = search.search !== undefined || search.roleId !== undefined || search.blocked !== undefined
  if (data && isPastTheEnd(data)) return <ToLastPage meta={data.meta} old={isPlaceholderData} />
  return (
    <>
      <UserTools search={search} change={change} />
      {mayWrite && chosen.size > 0 && (
        <ChosenUsers users={[...chosen.values()]} block={block} done={() => choose(new Map())} />
      )}
      {!data && <Waiting />}
      {data?.data.length === 0 && !asked && <Empty icon={Users} title={t('users.empty')} text={t('users.emptyText')} />}
      {data?.data.length === 0 && asked && (
        <Empty
          title={t('users.none')}
          text={t('users.noneText')}
          action={
            <Button
              variant="default"
              onClick={() => change({ search: undefined, roleId: undefined, blocked: undefined })}
            >
              {t('form.list.noFilter')}
            </Button>
          }
        />
      )}
      {data && data.data.length > 0 && (
        <>
          <DataList
            caption={t('users.title')}
            columns={columns}
            rows={data.data}
            nameOf={(user) => user.name}
            sort={{ by: orderOf(search), set: (sort) => change({ sort: sort as UserSearch['sort'] }) }}
            old={isPlaceholderData}
            {...(mayWrite && {
              chosen: { rows: chosen, choose },
              actions: (user: User) => <BlockButton user={user} block={block} />,
            })}
          />
          <Pager meta={data.meta} />
        </>
      )}
    </>
  )
}

function useColumns(): Column<User>[] {
  const t = useText()
  return [
    {
      key: 'name',
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
    { key: 'role', label: t('users.role'), cell: (user) => <RoleName user={user} /> },
    { key: 'status', label: t('users.status'), cell: (user) => <StatusBadge user={user} /> },
    {
      key: 'lastSignIn',
      label: t('users.lastSignIn'),
      sort: 'lastSignedInAt',
      cell: (user) =>
        user.lastSignedInAt ? <Moment at={user.lastSignedInAt} /> : <span className="quiet">{t('users.never')}</span>,
    },
    {
      key: 'added',
      label: t('users.added'),
      sort: 'createdAt',
      cell: (user) => <Moment at={user.createdAt} day />,
    },
  ]
}

function BlockButton({ user, block }: { user: User; block: ReturnType<typeof useBlocking> }) {
  const t = useText()
  if (!user.can.block) return null
  const label = t(user.blocked ? 'users.unblockOne' : 'users.blockOne', { name: user.name })
  return (
    <ActionIcon
      aria-label={label}
      title={label}
      color={user.blocked ? 'brand' : 'gray'}
      onClick={() => block([user], !user.blocked)}
    >
      {user.blocked ? <CircleCheck size={20} aria-hidden /> : <Ban size={20} aria-hidden />}
    </ActionIcon>
  )
}
