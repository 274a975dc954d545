import { Alert, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { baseRoleId } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { answer, api } from '../../client.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { LinkButton, TextLink } from '../../components/link-button.tsx'
import { tell } from '../../components/notify.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useVersionedForm } from '../../components/versioned-form.ts'
import { useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'
import { RightChoice } from './right-choice.tsx'
import { type RoleValues, valuesOf } from './role-values.ts'
import { roleQuery } from './roles.ts'
import { StaleRole } from './stale-role.tsx'

/** One form for a role that is there and for a new one. */
export function RoleForm({ known: role }: { known: Role | undefined }) {
  const t = useText()
  const navigate = useNavigate()
  const save = useSaveRole(role)
  const work = useVersionedForm<Role, RoleValues>({
    thing: role,
    valuesOf,
    save: (values, version) => save.mutateAsync({ values, version }),
    fieldOf: (path) => path.split('.')[0] ?? path,
    onSaved: ({ id }) =>
      role ?? navigate({ to: '/admin/roles/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true }),
  })
  const { form, failure, stale } = work
  const fixed = role ? !role.can.change : false
  return (
    <form onSubmit={work.onSubmit} noValidate className="stack">
      <KeepChanges when={work.dirty} />
      {fixed && <Alert>{t('roles.may')}</Alert>}
      {role?.id === baseRoleId && <Alert>{t('roles.baseText')}</Alert>}
      {failure && <NotSaved key={failure.count} title={t('roles.notSaved')} {...failure} />}
      <Section
        title={t('roles.about')}
        actions={
          role &&
          role.id !== baseRoleId && (
            <TextLink to="/admin/users" search={{ roleId: [role.id] }}>
              {t('roles.usersOf', { count: role.users })}
            </TextLink>
          )
        }
      >
        <TextInput
          label={t('roles.name')}
          required
          disabled={fixed}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
      </Section>
      <Section title={t('roles.rights')} lead={t('roles.rightsHelp')}>
        <RightChoice
          value={form.getValues().rights}
          onChange={(rights) => form.setFieldValue('rights', rights)}
          error={form.errors.rights}
          disabled={fixed}
        />
      </Section>
      {!fixed && (
        <SaveBar saving={work.saving}>
          <LinkButton to="/admin/roles" variant="default">
            {t('form.cancel')}
          </LinkButton>
        </SaveBar>
      )}
      {stale && <StaleRole mine={form.getValues()} {...stale} />}
    </form>
  )
}

function useSaveRole(role: Role | undefined) {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: RoleValues; version: number | undefined }): Promise<Role> =>
      role
        ? answer(
            api.roles[':id'].$put({
              param: { id: String(role.id) },
              json: { ...values, ...(version !== undefined && { version }) },
            }),
          )
        : answer(api.roles.$post({ json: values })),
    onSuccess(saved) {
      tell(t('roles.saved'))
      queries.setQueryData(roleQuery(saved.id).queryKey, saved)
      // What a role allows, its users may.
      for (const queryKey of [['roles', 'list'], ['users'], meQuery.queryKey]) {
        void queries.invalidateQueries({ queryKey })
      }
    },
  })
}
