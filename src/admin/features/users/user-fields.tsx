import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import { type AdminLocale, adminLocales, languageName } from '../../../contract/locales.ts'
import { baseRoleId, holdsAll, roleName } from '../../../contract/rights.ts'
import type { PasswordLink as PasswordLinkData, User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { CopyField } from '../../components/form.tsx'
import { notify, notifyFailure, notifyWarning } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { InlineError, MailNotice, useSendsMail } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import { RightNames } from '../roles/right-names.tsx'
import { rolesQuery } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'

export interface UserValues extends Record<string, unknown> {
  name: string
  email: string
  locale: AdminLocale
  /** Empty: only the base role. */
  roleId: string
  password: string
  mailPassword: boolean
  /** Whether to email a link to set a password, to a new user who gets none here. */
  invite: boolean
  blocked: boolean
}

export const valuesOf = (user: User | undefined, locale: AdminLocale): UserValues => ({
  name: user?.name ?? '',
  email: user?.email ?? '',
  locale: user?.locale ?? locale,
  roleId: user?.user_role ? String(user.user_role.id) : '',
  password: '',
  mailPassword: false,
  invite: user === undefined,
  blocked: user?.blocked ?? false,
})

/** The request body. It omits an empty password, and the role if none is chosen. */
export const bodyOf = (values: UserValues, version: number | undefined) => ({
  username: values.email,
  email: values.email,
  name: values.name,
  ...(values.password !== '' && { password: values.password }),
  confirmed: true as const,
  blocked: values.blocked,
  locale: values.locale,
  role: { connect: [baseRoleId as typeof baseRoleId] },
  ...(values.roleId !== '' && { user_role: { set: [Number(values.roleId)] } }),
  ...(version !== undefined && { version }),
})

export function fieldOf(path: string): string {
  if (path === 'username') return 'email'
  return path.startsWith('user_role') ? 'roleId' : path
}

/** Chooses the role of a user besides the base role. A role with rights that the current user lacks is disabled. */
export function RoleField({ user, ...props }: NativeSelectProps & { user: User | undefined }) {
  const t = useText()
  const me = useMe()
  const { data, error, refetch } = useQuery(rolesQuery)
  const currentRole = user?.user_role
  // Without the right to list roles, or while they load, the current role is still shown.
  const roles = data?.filter(({ id }) => id !== baseRoleId) ?? (currentRole ? [currentRole] : [])
  const chosenRole = roles.find(({ id }) => String(id) === props.value)
  return (
    <div>
      <NativeSelect
        label={t('users.role')}
        description={t('users.roleHelp')}
        data={[
          { value: '', label: t('users.noRole') },
          ...roles.map((role) => ({
            value: String(role.id),
            label: roleName(role, t),
            disabled: role.id !== currentRole?.id && !holdsAll(me, role.rights),
          })),
        ]}
        {...props}
      />
      {!data && error && <InlineError text={t('roles.notLoaded')} retry={() => void refetch()} />}
      {chosenRole && <RightNames title={t('users.roleRights')} rights={chosenRole.rights} />}
    </div>
  )
}

export function LanguageField(props: NativeSelectProps) {
  const t = useText()
  return (
    <NativeSelect
      label={t('users.language')}
      description={t('users.languageHelp')}
      data={adminLocales.map((value) => ({ value, label: languageName(value) }))}
      {...props}
    />
  )
}

/** Creates a link by which the user sets a password that nobody else sees. It is emailed, or shown to be passed on. */
export function PasswordLink({ user, unsaved }: { user: User; unsaved: boolean }) {
  const t = useText()
  const sendsMail = useSendsMail()
  const [link, setLink] = useState<PasswordLinkData>()
  const createLink = useMutation({
    mutationFn: (by: 'show' | 'mail') =>
      parseResponse(api.users[':id']['password-link'].$post({ param: { id: String(user.id) }, json: { by } })),
    onSuccess(created: PasswordLinkData, by) {
      if (by === 'show') setLink(created)
      else if (!sendsMail) notifyWarning(t('users.link.notSent'))
      else notify(<Translated text="users.link.sent" email={<bdi dir="ltr">{user.email}</bdi>} />)
    },
    onError: (error) => notifyFailure(t('users.link.notMade'), error),
  })
  const buttonProps = (by: 'show' | 'mail') => ({
    disabled: unsaved,
    loading: createLink.isPending && createLink.variables === by,
    onClick: () => createLink.mutate(by),
  })
  return (
    <Section title={t('users.link.title')} lead={<Translated text="users.link.text" name={<bdi>{user.name}</bdi>} />}>
      <MailNotice />
      <Button leftSection={<Mail />} {...buttonProps('mail')}>
        {t('users.link.send')}
      </Button>
      <Button leftSection={<Link2 />} {...buttonProps('show')}>
        {t('users.link.show')}
      </Button>
      {unsaved && <p className="quiet flush">{t('users.link.unsaved')}</p>}
      {link?.url && (
        <div role="status">
          <CopyField label={t('users.link.label')} text={link.url} />
          <p className="quiet small">
            <Translated text="users.link.shown" name={<bdi>{user.name}</bdi>} until={<Moment at={link.expiresAt} />} />
          </p>
        </div>
      )}
    </Section>
  )
}
