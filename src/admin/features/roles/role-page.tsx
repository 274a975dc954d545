import { Alert, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { baseRoleId, type Right, rightGroups, rights, roleName, storedRoleName } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { api, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { DeleteButton, RecordPage } from '../../components/record-page.tsx'
import { Translated } from '../../components/translated.tsx'
import { type Difference, useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { type TextKey, type TFunction, useText } from '../../i18n.ts'
import { meQuery, useMe, useRight } from '../sign-in/me.ts'
import { rightHelpKey, rightLabelKey } from './right-names.tsx'
import styles from './roles.module.css'
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
      nameOf={(role) => roleName(role, t)}
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
  return (
    <Page
      title={t('roles.add')}
      back={{ to: '/admin/roles', label: t('roles.title') }}
      allowed={useRight('roles.write')}
      narrow
    >
      <RoleForm existing={undefined} />
    </Page>
  )
}

/** The delete button. A role that users have cannot be deleted: the button is disabled, with the reason beside it. */
function DeleteRole({ role }: { role: Role }) {
  const t = useText()
  const reasonId = useId()
  const name = <bdi>{roleName(role, t)}</bdi>
  if (role.id === baseRoleId) return null
  return (
    <>
      {!role.can.delete && (
        <p id={reasonId} className="quiet flush">
          {t('roles.inUse')}
        </p>
      )}
      <DeleteButton
        type={t('roles.type')}
        text={<Translated text="roles.deleteText" name={name} />}
        remove={() => parseResponse(api.roles[':id'].$delete({ param: { id: String(role.id) } }))}
        deleted={<Translated text="roles.deleted" name={name} />}
        notDeleted={t('roles.notDeleted')}
        list="/admin/roles"
        queryKey={roleQuery(role.id).queryKey}
        staleKeys={['roles']}
        disabled={!role.can.delete}
        describedBy={role.can.delete ? undefined : reasonId}
      />
    </>
  )
}

/** One form to create and edit a role. */
function RoleForm({ existing: role }: { existing: Role | undefined }) {
  const t = useText()
  const navigate = useNavigate()
  const save = useSaveRole(role)
  const versionedForm = useVersionedForm<Role, RoleValues>({
    entity: role,
    valuesOf: (stored) => valuesOf(stored, t),
    save: (values, base) => save.mutateAsync({ values, version: base?.version }),
    fieldOf: (path) => path.split('.')[0] ?? path,
    onSaved: ({ id }) =>
      role ?? navigate({ to: '/admin/roles/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true }),
  })
  const { form } = versionedForm
  const readOnly = role ? !role.can.change : false
  return (
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('roles.notSaved')}
      differences={(theirs) => differencesOf(form.getValues(), theirs, t)}
    >
      {readOnly && <Alert>{t('roles.may')}</Alert>}
      {role?.id === baseRoleId && <Alert>{t('roles.baseText')}</Alert>}
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
        <TextInput label={t('roles.name')} required disabled={readOnly} {...form.getInputProps('name')} />
      </Section>
      <Section title={t('roles.rights')} lead={t('roles.rightsHelp')}>
        <RightChoice
          value={form.getValues().rights}
          onChange={(rights) => form.setFieldValue('rights', rights)}
          error={form.errors.rights}
          disabled={readOnly}
        />
      </Section>
      {!readOnly && <SaveBar saving={versionedForm.saving} cancelTo="/admin/roles" />}
    </VersionedFormFrame>
  )
}

function useSaveRole(role: Role | undefined) {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: RoleValues; version: number | undefined }): Promise<Role> =>
      role
        ? parseResponse(
            api.roles[':id'].$put({
              param: { id: String(role.id) },
              json: {
                ...values,
                name: storedRoleName({ id: role.id, name: values.name }, t),
                ...(version !== undefined && { version }),
              },
            }),
          )
        : parseResponse(api.roles.$post({ json: values })),
    onSuccess(saved) {
      notify(t('roles.saved'))
      queries.setQueryData(roleQuery(saved.id).queryKey, saved)
      // A role determines the rights of its users.
      for (const queryKey of [['roles', 'list'], ['users'], meQuery.queryKey]) {
        void queries.invalidateQueries({ queryKey })
      }
    },
  })
}

interface RoleValues extends Record<string, unknown> {
  name: string
  rights: Right[]
}

const valuesOf = (role: Role | undefined, t: TFunction): RoleValues => ({
  name: role ? roleName(role, t) : '',
  rights: sortRights(role?.rights ?? []),
})

/** Sorts rights in a fixed order, so that removing and adding the same right is not a change. */
const sortRights = (unsorted: readonly Right[]): Right[] => rights.filter((right) => unsorted.includes(right))

/** The name, and the rights that only my or only their version has. */
function differencesOf(mine: RoleValues, theirs: Role, t: TFunction): Difference[] {
  const namesOnlyIn = (version: readonly Right[], otherVersion: readonly Right[]) =>
    version.filter((right) => !otherVersion.includes(right)).map((right) => t(rightLabelKey(right)))
  const onlyMine = namesOnlyIn(mine.rights, theirs.rights)
  const onlyTheirs = namesOnlyIn(theirs.rights, mine.rights)
  const listText = (names: string[]) => (names.length > 0 ? `+ ${names.join(', ')}` : t('form.nothing'))
  return [
    { label: t('roles.name'), mine: mine.name, theirs: roleName(theirs, t) },
    { label: t('roles.rights'), mine: listText(onlyMine), theirs: listText(onlyTheirs) },
  ]
}

/** Checkboxes for all rights, in groups and with explanations. Rights that the current user lacks are disabled. */
function RightChoice(props: {
  value: Right[]
  onChange: (rights: Right[]) => void
  error?: ReactNode
  disabled?: boolean
}) {
  const { value, onChange, error, disabled } = props
  const t = useText()
  const me = useMe()
  const toggle = (right: Right, on: boolean) =>
    onChange(sortRights(on ? [...value, right] : value.filter((other) => other !== right)))
  return (
    <div className={styles.groups}>
      {error && (
        <p className="wrong" role="alert">
          {error}
        </p>
      )}
      {Object.entries(rightGroups).map(([group, rights]) => (
        <fieldset key={group} className={styles.group}>
          <legend>{t(`rights.groups.${group}` as TextKey)}</legend>
          {rights.map((right) => {
            const isHeld = me.rights.includes(right)
            return (
              <Checkbox
                key={right}
                label={t(rightLabelKey(right))}
                description={isHeld ? t(rightHelpKey(right)) : `${t(rightHelpKey(right))} ${t('roles.notYours')}`}
                checked={value.includes(right)}
                disabled={disabled || !isHeld}
                onChange={(event) => toggle(right, event.currentTarget.checked)}
              />
            )
          })}
        </fieldset>
      ))}
    </div>
  )
}
