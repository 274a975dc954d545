import { Alert, Switch, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { User } from '../../../contract/users.ts'
import { ask } from '../../components/ask.tsx'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { Beside, Section } from '../../components/section.tsx'
import { useVersionedForm } from '../../components/versioned-form.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import { PasswordFields } from './password-fields.tsx'
import { PasswordLink } from './password-link.tsx'
import { LanguageField, RoleField } from './role-field.tsx'
import { useSaveUser } from './save-user.ts'
import { StaleUser } from './stale-user.tsx'
import { UserFacts } from './user-facts.tsx'
import { fieldOf, type UserValues, valuesOf } from './user-values.ts'

/** Whoever takes a right from themselves cannot give it back. */
const ownRole = (t: ReturnType<typeof useText>) => ({
  title: t('users.ownRole.title'),
  text: t('users.ownRole.text'),
  yes: t('users.ownRole.yes'),
})

/** One form for who is there and for who is new. */
export function UserForm({ user }: { user: User | undefined }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const me = useMe()
  const save = useSaveUser(user)
  const work = useVersionedForm<User, UserValues>({
    thing: user,
    valuesOf: (one) => valuesOf(one, locale),
    confirm: async ({ roleId }) =>
      user?.id !== me.id || roleId === valuesOf(user, locale).roleId || ask({ ...ownRole(t), danger: true }),
    save: (values, version) => save.mutateAsync({ values, version }),
    fieldOf,
    onSaved: ({ id }) =>
      user ?? navigate({ to: '/admin/users/$id', params: { id: String(id) }, replace: true, ignoreBlocker: true }),
  })
  const { form, dirty, stale, failure } = work
  const fixed = user ? !user.can.change : false
  return (
    <form onSubmit={work.onSubmit} noValidate>
      <KeepChanges when={dirty} />
      <Beside
        main={
          <>
            {fixed && <Alert>{t('users.may')}</Alert>}
            {failure && <NotSaved key={failure.count} title={t('users.notSaved')} {...failure} />}
            <Section title={t('users.who')}>
              <TextInput
                label={t('users.name')}
                required
                disabled={fixed}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
              <TextInput
                label={t('users.email')}
                description={t('users.emailHelp')}
                type="email"
                dir="ltr"
                required
                disabled={fixed}
                autoComplete="off"
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
            {!fixed && <PasswordFields form={form} known={user !== undefined} />}
            {!fixed && (
              <SaveBar saving={work.saving}>
                <LinkButton to="/admin/users" variant="default">
                  {t('form.cancel')}
                </LinkButton>
              </SaveBar>
            )}
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
      {stale && <StaleUser mine={form.getValues()} before={user} {...stale} />}
    </form>
  )
}

/** For who adds somebody for the first time: what comes after saving. */
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
