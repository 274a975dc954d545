import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import type { PasswordLink as Made, User } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Moment } from '../../components/moment.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'

/** The safer way: a link by which somebody sets a password that nobody else sees. Shown, it works where mail does not. */
export function PasswordLink({ user, unsaved }: { user: User; unsaved: boolean }) {
  const t = useText()
  const [made, setMade] = useState<Made>()
  const make = useMutation({
    mutationFn: (by: 'show' | 'mail') =>
      answer(api.users[':id']['password-link'].$post({ param: { id: String(user.id) }, json: { by } })),
    onSuccess(link: Made, by) {
      if (by === 'show') setMade(link)
      else tell(<Said text="users.link.sent" email={<bdi dir="ltr">{user.email}</bdi>} />)
    },
    onError: (error) => tellFailure(t('users.link.notMade'), error),
  })
  const button = (by: 'show' | 'mail') => ({
    variant: 'default',
    disabled: unsaved,
    loading: make.isPending && make.variables === by,
    onClick: () => make.mutate(by),
  })
  return (
    <Section title={t('users.link.title')} lead={<Said text="users.link.text" name={<bdi>{user.name}</bdi>} />}>
      <Button leftSection={<Mail size={18} aria-hidden />} {...button('mail')}>
        {t('users.link.send')}
      </Button>
      <Button leftSection={<Link2 size={18} aria-hidden />} {...button('show')}>
        {t('users.link.show')}
      </Button>
      {unsaved && <p className="quiet flush">{t('users.link.unsaved')}</p>}
      {made?.url && (
        <div role="status">
          <TextInput
            label={t('users.link.label')}
            dir="ltr"
            readOnly
            value={made.url}
            onFocus={(event) => event.currentTarget.select()}
            rightSection={<CopyButton text={made.url} />}
            rightSectionWidth={44}
          />
          <p className="quiet small">
            <Said text="users.link.shown" name={<bdi>{user.name}</bdi>} until={<Moment at={made.expiresAt} />} />
          </p>
        </div>
      )}
    </Section>
  )
}
