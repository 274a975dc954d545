import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import type { PasswordLink as PasswordLinkData, User } from '../../../contract/users.ts'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { CopyField } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Section } from '../../components/page.tsx'
import { NoMailServer, useSendsMail } from '../../components/states.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'

/** A link to set a password, so that no one else sees it. It can also be shown, for sites without a mail server. */
export function PasswordLink({ user, unsaved }: { user: User; unsaved: boolean }) {
  const t = useText()
  const sendsMail = useSendsMail()
  const [link, setLink] = useState<PasswordLinkData>()
  const make = useMutation({
    mutationFn: (by: 'show' | 'mail') =>
      parseResponse(api.users[':id']['password-link'].$post({ param: { id: String(user.id) }, json: { by } })),
    onSuccess(link: PasswordLinkData, by) {
      if (by === 'show') setLink(link)
      else if (!sendsMail) notify(t('users.link.notSent'))
      else notify(<Translated text="users.link.sent" email={<bdi dir="ltr">{user.email}</bdi>} />)
    },
    onError: (error) => notifyFailure(t('users.link.notMade'), error),
  })
  const button = (by: 'show' | 'mail') => ({
    variant: 'default',
    disabled: unsaved,
    loading: make.isPending && make.variables === by,
    onClick: () => make.mutate(by),
  })
  return (
    <Section title={t('users.link.title')} lead={<Translated text="users.link.text" name={<bdi>{user.name}</bdi>} />}>
      <NoMailServer />
      <Button leftSection={<Mail size={18} aria-hidden />} {...button('mail')}>
        {t('users.link.send')}
      </Button>
      <Button leftSection={<Link2 size={18} aria-hidden />} {...button('show')}>
        {t('users.link.show')}
      </Button>
      {unsaved && <p className="quiet flush">{t('users.link.unsaved')}</p>}
      {link?.url && (
        <div role="status">
          <CopyField label={t('users.link.label')} url={link.url} />
          <p className="quiet small">
            <Translated text="users.link.shown" name={<bdi>{user.name}</bdi>} until={<Moment at={link.expiresAt} />} />
          </p>
        </div>
      )}
    </Section>
  )
}
