import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import type { User } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { userQuery } from './users.ts'

/** What cannot be undone is asked. */
export function DeleteUser({ user }: { user: User }) {
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => answer(api.users[':id'].$delete({ param: { id: String(user.id) } })),
    async onSuccess() {
      tell(<Said text="users.deleted" name={<bdi>{user.name}</bdi>} />)
      await navigate({ to: '/admin/users', ignoreBlocker: true })
      queries.removeQueries({ queryKey: userQuery(user.id).queryKey })
      void queries.invalidateQueries({ queryKey: ['users'] })
      void queries.invalidateQueries({ queryKey: ['roles'] })
    },
    onError: (error) => tellFailure(t('users.notDeleted'), error),
  })
  const askFirst = async () => {
    const sure = await ask({
      title: t('form.deleteQuestion', { type: t('users.type') }),
      text: <Said text="users.deleteText" name={<bdi>{user.name}</bdi>} />,
      yes: t('form.delete'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<Trash2 size={18} aria-hidden />}
      loading={remove.isPending}
      onClick={() => void askFirst()}
    >
      {t('form.delete')}
    </Button>
  )
}
