import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { User } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'

/** For somebody who lost both the app and the recovery codes. */
export function TurnOffTwoFactorOf({ user }: { user: User }) {
  const t = useText()
  const queries = useQueryClient()
  const name = <bdi>{user.name}</bdi>
  const turnOff = useMutation({
    mutationFn: () => answer(api.users[':id']['two-factor'].$delete({ param: { id: String(user.id) } })),
    onSuccess: () => tell(<Said text="users.twoFactorOff.done" name={name} />),
    onError: (error) => tellFailure(t('users.twoFactorOff.failed'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
  const askFirst = async () => {
    const sure = await ask({
      title: t('users.twoFactorOff.title'),
      text: <Said text="users.twoFactorOff.text" name={name} />,
      yes: t('users.twoFactorOff.action'),
      danger: true,
    })
    if (sure) turnOff.mutate()
  }
  return (
    <Button variant="default" size="compact-sm" loading={turnOff.isPending} onClick={() => void askFirst()}>
      {t('users.twoFactorOff.action')}
    </Button>
  )
}
