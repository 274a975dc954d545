import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useId } from 'react'
import { baseRoleId } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { api, parseResponse } from '../../client.ts'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page } from '../../components/page.tsx'
import { DeleteButton, RecordPage } from '../../components/record-page.tsx'
import { NoRight } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { RoleForm } from './role-form.tsx'
import { roleQuery, roleReadRights } from './roles.ts'

export function RolePage() {
  const t = useText()
  const { id } = useParams({ from: '/admin/roles/$id' })
  const maySee = useRight(...roleReadRights)
  const query = useQuery({ ...roleQuery(Number(id)), enabled: maySee })
  return (
    <RecordPage
      query={query}
      maySee={maySee}
      nameOf={(role) => role.name}
      title={t('roles.edit')}
      back={{ to: '/admin/roles', label: t('roles.title') }}
      actions={(role) => role.can.change && <DeleteRole role={role} />}
      narrow
    >
      {(role) => <RoleForm key={role.id} existing={role} />}
    </RecordPage>
  )
}

export function NewRolePage() {
  const t = useText()
  const mayWrite = useRight('roles.write')
  return (
    <Page title={t('roles.add')} back={{ to: '/admin/roles', label: t('roles.title') }} narrow>
      {mayWrite ? <RoleForm existing={undefined} /> : <NoRight />}
    </Page>
  )
}

/** A role that users have cannot be deleted; the reason is shown beside the button. */
function DeleteRole({ role }: { role: Role }) {
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const why = useId()
  const name = <bdi>{role.name}</bdi>
  const remove = useMutation({
    mutationFn: () => parseResponse(api.roles[':id'].$delete({ param: { id: String(role.id) } })),
    async onSuccess() {
      notify(<Translated text="roles.deleted" name={name} />)
      await navigate({ to: '/admin/roles', ignoreBlocker: true })
      queries.removeQueries({ queryKey: roleQuery(role.id).queryKey })
      void queries.invalidateQueries({ queryKey: ['roles'] })
    },
    onError: (error) => notifyFailure(t('roles.notDeleted'), error),
  })
  if (role.id === baseRoleId) return null
  return (
    <>
      {!role.can.delete && (
        <p id={why} className="quiet flush">
          {t('roles.inUse')}
        </p>
      )}
      <DeleteButton
        type={t('roles.type')}
        text={<Translated text="roles.deleteText" name={name} />}
        loading={remove.isPending}
        disabled={!role.can.delete}
        describedBy={role.can.delete ? undefined : why}
        onDelete={() => remove.mutate()}
      />
    </>
  )
}
