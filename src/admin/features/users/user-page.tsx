import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { DeleteButton, RecordPage } from '../../components/record-page.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { UserForm } from './user-form.tsx'
import { userQuery, userReadRights } from './users.ts'

export function UserPage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/users/$id' })
  const maySee = useRight(...userReadRights)
  const query = useQuery({ ...userQuery(Number(id)), enabled: maySee })
  return (
    <RecordPage
      query={query}
      maySee={maySee}
      nameOf={(user) => user.name}
      title={t('users.edit')}
      back={{ to: '/admin/users', label: t('users.title') }}
      actions={(user) => user.can.delete && <DeleteUser user={user} />}
      narrow
    >
      {(user) => <UserForm key={user.id} user={user} />}
    </RecordPage>
  )
}

export function NewUserPage() {
  const t = useText()
  return (
    <Page
      title={t('users.add')}
      back={{ to: '/admin/users', label: t('users.title') }}
      allowed={useRight('users.write')}
      narrow
    >
      <UserForm user={undefined} />
    </Page>
  )
}

function DeleteUser({ user }: { user: User }) {
  const t = useText()
  return (
    <DeleteButton
      type={t('users.type')}
      text={<Translated text="users.deleteText" name={<bdi>{user.name}</bdi>} />}
      remove={() => parseResponse(api.users[':id'].$delete({ param: { id: String(user.id) } }))}
      deleted={<Translated text="users.deleted" name={<bdi>{user.name}</bdi>} />}
      notDeleted={t('users.notDeleted')}
      list="/admin/users"
      queryKey={userQuery(user.id).queryKey}
      staleKeys={['users', 'roles']}
    />
  )
}
