import { Alert, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import { languageName } from '../../../contract/locales.ts'
import { roleName } from '../../../contract/rights.ts'
import { siteBrandingId, type User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure, notifyWarning } from '../../components/notify.tsx'
import { Section, TwoColumns } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { MailNotice, useSendsMail } from '../../components/states.tsx'
import { type Difference, useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { meQuery, useMe } from '../sign-in/me.ts'
import { UserFacts } from './user-facts.tsx'
import { bodyOf, fieldOf, LanguageField, PasswordLink, RoleField, type UserValues, valuesOf } from './user-fields.tsx'
import { userQuery } from './users.ts'

/** The question before users change their own role: they cannot give themselves back a right that they lose. */
const ownRoleQuestion = (t: TFunction) => ({
  title: t('users.ownRole.title'),
  text: t('users.ownRole.text'),
  yes: t('users.ownRole.yes'),
})

/** One form to create and edit a user. */
export function UserForm({ user }: { user: User | undefined }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const me = useMe()
  const save = useSaveUser(user)
  const versionedForm = useVersionedForm<User, UserValues>({
    entity: user,
    valuesOf: (stored) => valuesOf(stored, locale),
    async confirm({ roleId }) {
      const changesOwnRole = user?.id === me.id && roleId !== valuesOf(user, locale).roleId
      return !changesOwnRole || confirmInDialog({ ...ownRoleQuestion(t), danger: true })
    },
    save: (values, base) => save.mutateAsync({ values, version: base?.version }),
    fieldOf,
    onSaved: ({ id }) =>
      user ?? navigate({ to: '/admin/users/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true }),
  })
  const { form, dirty } = versionedForm
  const differences = useDifferences(form.getValues(), user)
  const readOnly = user ? !user.can.change : false
  return (
    <VersionedFormFrame versionedForm={versionedForm} notSaved={t('users.notSaved')} differences={differences}>
      <TwoColumns
        main={
          <>
            {readOnly && <Alert>{t('users.may')}</Alert>}
            <Section title={t('users.who')}>
              <TextInput label={t('users.name')} required disabled={readOnly} {...form.getInputProps('name')} />
              <TextInput
                label={t('users.email')}
                description={t('users.emailHelp')}
                type="email"
                dir="ltr"
                required
                disabled={readOnly}
                {...form.getInputProps('email')}
              />
              <LanguageField disabled={readOnly} {...form.getInputProps('locale')} />
            </Section>
            <Section title={t('users.access')}>
              <RoleField user={user} disabled={readOnly} {...form.getInputProps('roleId')} />
              <Switch
                label={t('users.blocked')}
                description={t('users.blockedHelp')}
                disabled={user ? !user.can.block : false}
                {...form.getInputProps('blocked', { type: 'checkbox' })}
              />
            </Section>
            {!readOnly && <PasswordFields form={form} hasAccount={user !== undefined} />}
            {!readOnly && <SaveBar saving={versionedForm.saving} cancelTo="/admin/users" />}
          </>
        }
        aside={
          user ? (
            <>
              <UserFacts user={user} />
              {user.can.change && !user.blocked && <PasswordLink user={user} unsaved={dirty} />}
            </>
          ) : (
            <NextSteps />
          )
        }
      />
    </VersionedFormFrame>
  )
}

/** Explains how a new user gets access. */
function NextSteps() {
  const t = useText()
  return (
    <Section title={t('users.steps.title')}>
      <ol className="steps">
        <li>{t('users.steps.save')}</li>
        <li>{t('users.steps.link')}</li>
        <li>{t('users.steps.choose')}</li>
      </ol>
    </Section>
  )
}

/** How a user will sign in: with a link to set a password, or with a password that is set here and may be emailed. */
function PasswordFields({ form, hasAccount }: { form: UseFormReturnType<UserValues>; hasAccount: boolean }) {
  const t = useText()
  const { password, invite } = form.getValues()
  return (
    <Section title={t('users.signIn')}>
      {!hasAccount && <MailNotice />}
      {!hasAccount && (
        <Switch
          label={t('users.invite')}
          description={t('users.inviteHelp')}
          disabled={password !== ''}
          {...form.getInputProps('invite')}
          checked={invite && password === ''}
        />
      )}
      <PasswordField
        label={t('users.password')}
        description={t(hasAccount ? 'users.passwordChange' : 'users.passwordNew')}
        autoComplete="new-password"
        maxLength={limits.passwordMaxChars}
        {...form.getInputProps('password')}
      />
      <Switch
        label={t('users.mailPassword')}
        description={t('users.mailPasswordHelp')}
        disabled={password === ''}
        {...form.getInputProps('mailPassword', { type: 'checkbox' })}
      />
    </Section>
  )
}

/** @param loaded the user as this screen loaded it; who may not see roles knows the name of the role only from it */
function useDifferences(mine: UserValues, loaded: User | undefined): (theirs: User) => Difference[] {
  const t = useText()
  const { data: roles = [] } = useQuery(rolesQuery)
  return (theirs) => {
    const theirValues = valuesOf(theirs, theirs.locale)
    /** The name of a role; its number if no loaded data has it. */
    const roleNameOf = (id: string) => {
      if (id === '') return t('users.noRole')
      const role = [theirs.user_role, loaded?.user_role, ...roles].find((role) => String(role?.id) === id)
      return role ? roleName(role, t) : t('roles.number', { id })
    }
    return [
      { label: t('users.name'), mine: mine.name, theirs: theirValues.name },
      { label: t('users.email'), mine: mine.email, theirs: theirValues.email },
      { label: t('users.language'), mine: languageName(mine.locale), theirs: languageName(theirValues.locale) },
      { label: t('users.role'), mine: roleNameOf(mine.roleId), theirs: roleNameOf(theirValues.roleId) },
      {
        label: t('users.blocked'),
        mine: t(mine.blocked ? 'form.yes' : 'form.no'),
        theirs: t(theirValues.blocked ? 'form.yes' : 'form.no'),
      },
    ]
  }
}

/** A mutation that saves a user. If chosen, it then emails the new password, or a link to set one to a new user. */
function useSaveUser(user: User | undefined) {
  const t = useText()
  const queries = useQueryClient()
  const me = useMe()
  const sendsMail = useSendsMail()
  const invite = async ({ id, email }: User) => {
    try {
      await parseResponse(api.users[':id']['password-link'].$post({ param: { id: String(id) }, json: { by: 'mail' } }))
      if (sendsMail) notify(t('users.link.sent', { email }))
      else notifyWarning(t('users.link.notSent'))
    } catch (error) {
      notifyFailure(t('users.link.notMade'), error)
    }
  }
  return useMutation({
    mutationFn: ({ values, version }: { values: UserValues; version: number | undefined }): Promise<User> => {
      const json = bodyOf(values, version)
      return user
        ? parseResponse(api.users[':id'].$put({ param: { id: String(user.id) }, json }))
        : parseResponse(api.users.$post({ json }))
    },
    async onSuccess(saved, { values }) {
      notify(t('users.saved'))
      queries.setQueryData(userQuery(saved.id).queryKey, saved)
      void queries.invalidateQueries({ queryKey: ['users', 'list'] })
      void queries.invalidateQueries({ queryKey: ['roles'] })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      if (values.invite && values.password === '' && !saved.blocked) await invite(saved)
      if (values.password === '' || !values.mailPassword) return
      const { email: to } = saved
      const templateId = user ? 'updatedUser' : 'newUser'
      try {
        await parseResponse(
          api.notification.email.$post({
            json: {
              brandingId: siteBrandingId,
              templateId,
              to,
              replyTo: me.email,
              name: saved.name,
              password: values.password,
            },
          }),
        )
        if (sendsMail) notify(t('users.passwordMailed', { email: to }))
        else notifyWarning(t('users.passwordToFile'))
      } catch (error) {
        notifyFailure(t('users.passwordNotMailed'), error)
      }
    },
  })
}
