import { NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { defaultLocale, type Locale, localeNames, locales } from '../../../contract/locales.ts'
import type { Profile } from '../../../contract/profile.ts'
import { answer, api } from '../../client.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { tell } from '../../components/notify.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { type Difference, StaleChoice } from '../../components/stale-choice.tsx'
import { useVersionedForm } from '../../components/versioned-form.ts'
import { type Say, say, speak, useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'
import { NewEmail } from './new-email.tsx'
import { devicesQuery, profileQuery } from './profile.ts'

interface Values extends Record<string, unknown> {
  name: string
  email: string
  locale: Locale
  currentPassword: string
  password: string
  repeat: string
}

const valuesOf = (profile: Profile | undefined): Values => ({
  name: profile?.name ?? '',
  email: profile?.email ?? '',
  locale: profile?.locale ?? defaultLocale,
  currentPassword: '',
  password: '',
  repeat: '',
})

/** The one who is signed in changes themselves. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const t = useText()
  const save = useSaveProfile()
  const work = useVersionedForm<Profile, Values>({
    thing: profile,
    valuesOf,
    save: (values, version) => save.mutateAsync({ values, version }),
    validate: { repeat: (repeat, { password }) => (repeat === password ? null : t('validation.passwordMismatch')) },
  })
  const { form, failure, stale } = work
  return (
    <form onSubmit={work.onSubmit} noValidate className="stack">
      <KeepChanges when={work.dirty} />
      {failure && <NotSaved key={failure.count} title={t('profile.notSaved')} {...failure} />}
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
        <NewEmail profile={profile} />
        <NativeSelect
          label={t('profile.language')}
          data={locales.map((value) => ({ value, label: localeNames[value] }))}
          {...form.getInputProps('locale')}
        />
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
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t('profile.repeatPassword')}
          autoComplete="new-password"
          {...form.getInputProps('repeat')}
        />
      </Section>
      <SaveBar saving={work.saving} />
      {stale && <StaleChoice differences={differencesOf(form.getValues(), stale.theirs, t)} {...stale} />}
    </form>
  )
}

function useSaveProfile() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: Values; version: number | undefined }): Promise<Profile> => {
      const { name, email, locale, currentPassword, password } = values
      const secret = password === '' ? {} : { password, ...(currentPassword !== '' && { currentPassword }) }
      return answer(
        api.profile.$put({ json: { name, email, locale, ...(version !== undefined && { version }), ...secret } }),
      )
    },
    async onSuccess(saved) {
      queries.setQueryData(profileQuery.queryKey, saved)
      void queries.invalidateQueries({ queryKey: devicesQuery.queryKey })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      await speak(saved.locale)
      // In the language that was chosen just now.
      tell(say('profile.saved'))
    },
  })
}

const differencesOf = (mine: Values, theirs: Profile, t: Say): Difference[] =>
  [
    { label: t('profile.name'), mine: mine.name, theirs: theirs.name },
    { label: t('profile.email'), mine: mine.email, theirs: theirs.email },
    { label: t('profile.language'), mine: localeNames[mine.locale], theirs: localeNames[theirs.locale] },
  ].filter((one) => one.mine !== one.theirs)
