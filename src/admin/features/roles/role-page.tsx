import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { isRefused } from '../../client.ts'
import { Page } from '../../components/page.tsx'
import { Failed, NoRight, NotFound, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { DeleteRole } from './delete-role.tsx'
import { RoleForm } from './role-form.tsx'
import { roleQuery, toSeeRoles } from './roles.ts'

/** A role as it is. */
export function RolePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/roles/$id' })
  const maySee = useRight(...toSeeRoles)
  const { data: role, error, refetch } = useQuery({ ...roleQuery(Number(id)), enabled: maySee })
  if (isRefused(error, 'not_found')) return <NotFound />
  return (
    <Page
      title={role?.name ?? t('roles.edit')}
      heading={role ? <bdi>{role.name}</bdi> : t('roles.edit')}
      back={{ to: '/admin/roles', label: t('roles.title') }}
      actions={role?.can.change && <DeleteRole role={role} />}
      narrow
    >
      {!maySee && <NoRight />}
      {maySee && !role && (error ? <Failed error={error} retry={() => void refetch()} /> : <Waiting rows={5} />)}
      {role && <RoleForm key={role.id} known={role} />}
    </Page>
  )
}

/** A role that is yet to be. */
export function NewRolePage() {
  const t = useText()
  const mayWrite = useRight('roles.write')
  return (
    <Page title={t('roles.add')} back={{ to: '/admin/roles', label: t('roles.title') }} narrow>
      {mayWrite ? <RoleForm known={undefined} /> : <NoRight />}
    </Page>
  )
}
