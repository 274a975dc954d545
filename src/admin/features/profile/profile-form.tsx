import { Alert, Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AdminLocale, adminLocales, defaultLocale, languageName } from '../../../contract/locales.ts'
import type { Profile } from '../../../contract/profile.ts'
import { api, parseResponse } from '../../client.ts'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { MailNotice } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { type Difference, useVersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { loadLanguage, type TFunction, translate, useText } from '../../i18n.ts'
import { pageReadRights } from '../pages/pages.ts'
import { meQuery, useRight } from '../sign-in/me.ts'
import { profileQuery, sessionsQuery } from './profile.ts'

interface Values extends Record<string, unknown> {
  name: string
  email: string
  locale: AdminLocale
  reviewEmails: boolean
  currentPassword: string
  password: string
  repeat: string
}

const valuesOf = (profile: Profile | undefined): Values => ({
  name: profile?.name ?? '',
  email: profile?.email ?? '',
  locale: profile?.locale ?? defaultLocale,
  reviewEmails: profile?.reviewEmails ?? false,
  currentPassword: '',
  password: '',
  repeat: '',
})

/** The form for the profile and the password of the signed-in user. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const t = useText()
  const save = useSaveProfile()
  const maySeeReviews = useRight(...pageReadRights)
  const versionedForm = useVersionedForm<Profile, Values>({
    entity: profile,
    valuesOf,
    save: (values, base) => save.mutateAsync({ values, version: base?.version }),
    validate: { repeat: (repeat, { password }) => (repeat === password ? null : t('validation.passwordMismatch')) },
  })
  const { form } = versionedForm
  return (
    <VersionedFormFrame
      versionedForm={versionedForm}
      notSaved={t('profile.notSaved')}
      differences={(theirs) => differencesOf(form.getValues(), theirs, t)}
    >
      <Section title={t('profile.self')}>
        <TextInput label={t('profile.name')} required autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label={t('profile.email')}
          description={t('profile.emailHelp')}
          type="email"
          dir="ltr"
          required
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <PendingEmail profile={profile} />
        {(profile.newEmail !== null || form.getValues().email !== profile.email) && <MailNotice />}
        <NativeSelect
          label={t('profile.language')}
          data={adminLocales.map((value) => ({ value, label: languageName(value) }))}
          {...form.getInputProps('locale')}
        />
        {maySeeReviews && (
          <Switch
            label={t('profile.reviewEmails')}
            description={t('profile.reviewEmailsHelp')}
            {...form.getInputProps('reviewEmails', { type: 'checkbox' })}
          />
        )}
      </Section>
      <Section
        title={t('profile.password')}
        lead={t(profile.hasPassword ? 'profile.passwordHelp' : 'profile.passwordNone')}
      >
        {profile.hasPassword && (
          <PasswordField
            label={t('profile.currentPassword')}
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
        )}
        <PasswordField
          label={t('profile.newPassword')}
          description={t('profile.strongPassword')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t('profile.repeatPassword')}
          autoComplete="new-password"
          {...form.getInputProps('repeat')}
        />
      </Section>
      <SaveBar saving={versionedForm.saving} />
    </VersionedFormFrame>
  )
}

function useSaveProfile() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number | undefined }): Promise<Profile> => {
      const { name, email, locale, reviewEmails, currentPassword, password } = values
      const newPassword = password === '' ? {} : { password, ...(currentPassword !== '' && { currentPassword }) }
      return parseResponse(
        api.profile.$put({
          json: { name, email, locale, reviewEmails, ...(version !== undefined && { version }), ...newPassword },
        }),
      )
    },
    async onSuccess(saved) {
      queries.setQueryData(profileQuery.queryKey, saved)
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      // The profile is saved, even if the texts of the new language cannot be loaded.
      await loadLanguage(saved.locale).catch((error) => notifyFailure(translate('states.notLoaded'), error))
      // In the language that was just chosen.
      notify(translate('profile.saved'))
    },
  })
}

const differencesOf = (mine: Values, theirs: Profile, t: TFunction): Difference[] => [
  { label: t('profile.name'), mine: mine.name, theirs: theirs.name },
  { label: t('profile.email'), mine: mine.email, theirs: theirs.email },
  { label: t('profile.language'), mine: languageName(mine.locale), theirs: languageName(theirs.locale) },
  {
    label: t('profile.reviewEmails'),
    mine: t(mine.reviewEmails ? 'form.yes' : 'form.no'),
    theirs: t(theirs.reviewEmails ? 'form.yes' : 'form.no'),
  },
]

/** The new email address that is not confirmed yet, with a button to cancel the change; renders nothing without one. */
function PendingEmail({ profile }: { profile: Profile }) {
  const t = useText()
  const queries = useQueryClient()
  const cancelChange = useMutation({
    mutationFn: () => parseResponse(api.profile['new-email'].$delete()),
    onSuccess: () => notify(t('profile.emailChangeCancelled')),
    onError: (error) => notifyFailure(t('states.failed'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: profileQuery.queryKey }),
  })
  if (profile.newEmail === null) return null
  return (
    <Alert role="status">
      <p className="flush">
        <Translated
          text="profile.emailWaits"
          email={<bdi dir="ltr">{profile.newEmail}</bdi>}
          now={<bdi dir="ltr">{profile.email}</bdi>}
        />
      </p>
      <Button size="compact-md" mt="xs" loading={cancelChange.isPending} onClick={() => cancelChange.mutate()}>
        {t('profile.cancelEmailChange')}
      </Button>
    </Alert>
  )
}
