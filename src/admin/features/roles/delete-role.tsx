import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { baseRoleId } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { roleQuery } from './roles.ts'

/** A role that somebody has stays; why, stands beside it. */
export function DeleteRole({ role }: { role: Role }) {
  const t = useText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const why = useId()
  const name = <bdi>{role.name}</bdi>
  const remove = useMutation({
    mutationFn: () => answer(api.roles[':id'].$delete({ param: { id: String(role.id) } })),
    async onSuccess() {
      tell(<Said text="roles.deleted" name={name} />)
      await navigate({ to: '/admin/roles', ignoreBlocker: true })
      queries.removeQueries({ queryKey: roleQuery(role.id).queryKey })
      void queries.invalidateQueries({ queryKey: ['roles'] })
    },
    onError: (error) => tellFailure(t('roles.notDeleted'), error),
  })
  if (role.id === baseRoleId) return null
  const askFirst = async () => {
    const sure = await ask({
      title: t('form.deleteQuestion', { type: t('roles.type') }),
      text: <Said text="roles.deleteText" name={name} />,
      yes: t('form.delete'),
      danger: true,
    })
    if (sure) remove.mutate()
  }
  return (
    <>
      {!role.can.delete && (
        <p id={why} className="quiet flush">
          {t('roles.inUse')}
        </p>
      )}
      <Button
        variant="default"
        className="danger"
        leftSection={<Trash2 size={18} aria-hidden />}
        disabled={!role.can.delete}
        aria-describedby={role.can.delete ? undefined : why}
        loading={remove.isPending}
        onClick={() => void askFirst()}
      >
        {t('form.delete')}
      </Button>
    </>
  )
}
