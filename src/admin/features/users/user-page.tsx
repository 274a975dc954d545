import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isRefused } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { DeleteUser } from './delete-user.tsx'
import { UserForm } from './user-form.tsx'
import { toSeeUsers, userQuery } from './users.ts'

/** A user as they are. */
export function UserPage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/users/$id' })
  const maySee = useRight(...toSeeUsers)
  const { data: user, error, refetch } = useQuery({ ...userQuery(Number(id)), enabled: maySee })
  if (isRefused(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={user?.name ?? t('users.edit')}
      heading={user ? <bdi>{user.name}</bdi> : t('users.edit')}
      back={{ to: '/admin/users', label: t('users.title') }}
      actions={user?.can.delete && <DeleteUser user={user} />}
      narrow
    >
      {!maySee && <NoRight />}
      {maySee && !user && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={5} />)}
      {user && <UserForm key={user.id} user={user} />}
    </Page>
  )
}

/** A user who is yet to be. */
export function NewUserPage() {
  const t = useText()
  const mayWrite = useRight('users.write')
  return (
    <Page title={t('users.add')} back={{ to: '/admin/users', label: t('users.title') }} narrow>
      {mayWrite ? <UserForm user={undefined} /> : <NoRight />}
    </Page>
  )
}
