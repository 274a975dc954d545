import { Alert, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '../../../contract/limits.ts'
import { languageName } from '../../../contract/locales.ts'
import { siteBrandingId, type User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { confirmInDialog } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure, notifyWarning } from '../../components/notify.tsx'
import { Section, TwoColumns } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { MailNotice, useSendsMail } from '../../components/states.tsx'
import { type Difference, useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { meQuery, useMe } from '../sign-in/me.ts'
import { UserFacts } from './user-facts.tsx'
import { bodyOf, fieldOf, LanguageField, PasswordLink, RoleField, type UserValues, valuesOf } from './user-fields.tsx'
import { userQuery } from './users.ts'

/** Users cannot give back a right that they removed from themselves. */
const ownRole = (t: ReturnType<typeof useText>) => ({
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
  const work = useVersionedForm<User, UserValues>({
    entity: user,
    valuesOf: (one) => valuesOf(one, locale),
    confirm: async ({ roleId }) =>
      user?.id !== me.id ||
      roleId === valuesOf(user, locale).roleId ||
      confirmInDialog({ ...ownRole(t), danger: true }),
    save: (values, from) => save.mutateAsync({ values, version: from?.version }),
    fieldOf,
    onSaved: ({ id }) =>
      user ?? navigate({ to: '/admin/users/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true }),
  })
  const { form, dirty } = work
  const differences = useDifferences(form.getValues(), user)
  const fixed = user ? !user.can.change : false
  return (
    <VersionedFormFrame work={work} notSaved={t('users.notSaved')} differences={differences}>
      <TwoColumns
        main={
          <>
            {fixed && <Alert>{t('users.may')}</Alert>}
            <Section title={t('users.who')}>
              <TextInput label={t('users.name')} required disabled={fixed} {...form.getInputProps('name')} />
              <TextInput
                label={t('users.email')}
                description={t('users.emailHelp')}
                type="email"
                dir="ltr"
                required
                disabled={fixed}
                {...form.getInputProps('email')}
              />
              <LanguageField disabled={fixed} {...form.getInputProps('locale')} />
            </Section>
            <Section title={t('users.access')}>
              <RoleField user={user} disabled={fixed} {...form.getInputProps('roleId')} />
              <Switch
                label={t('users.blocked')}
                description={t('users.blockedHelp')}
                disabled={user ? !user.can.block : false}
                {...form.getInputProps('blocked', { type: 'checkbox' })}
              />
            </Section>
            {!fixed && <PasswordFields form={form} hasAccount={user !== undefined} />}
            {!fixed && <SaveBar saving={work.saving} cancelTo="/admin/users" />}
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

/** Explains the next steps to an administrator who adds the first user. */
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

/** How a user will sign in: by an invitation, or with a password set here that may be emailed. */
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

/** @param before as loaded before somebody else saved */
function useDifferences(mine: UserValues, before: User | undefined): (theirs: User) => Difference[] {
  const t = useText()
  const { data: roles = [] } = useQuery(rolesQuery)
  return (theirs) => {
    const now = valuesOf(theirs, theirs.locale)
    /** A role that is not in any loaded data is shown by its id. */
    const roleName = (id: string) => {
      if (id === '') return t('users.noRole')
      const role = [theirs.user_role, before?.user_role, ...roles].find((role) => String(role?.id) === id)
      return role?.name ?? t('roles.number', { id })
    }
    return [
      { label: t('users.name'), mine: mine.name, theirs: now.name },
      { label: t('users.email'), mine: mine.email, theirs: now.email },
      { label: t('users.language'), mine: languageName(mine.locale), theirs: languageName(now.locale) },
      { label: t('users.role'), mine: roleName(mine.roleId), theirs: roleName(now.roleId) },
      {
        label: t('users.blocked'),
        mine: t(mine.blocked ? 'form.yes' : 'form.no'),
        theirs: t(now.blocked ? 'form.yes' : 'form.no'),
      },
    ]
  }
}

/** Saves a user and, if chosen, emails the new password, or an invitation to a new user. */
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
