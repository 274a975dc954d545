import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Profile } from '../../../contract/profile.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import { profileQuery } from './profile.ts'

/** An address that waits until its link is opened, and the way to keep the old one. */
export function NewEmail({ profile }: { profile: Profile }) {
  const t = useText()
  const queries = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => answer(api.profile['new-email'].$delete()),
    onSuccess: () => tell(t('profile.emailKept')),
    onError: (error) => tellFailure(t('states.failed'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: profileQuery.queryKey }),
  })
  if (profile.newEmail === null) return null
  return (
    <Alert role="status">
      <p className="flush">
        <Said
          text="profile.emailWaits"
          email={<bdi dir="ltr">{profile.newEmail}</bdi>}
          now={<bdi dir="ltr">{profile.email}</bdi>}
        />
      </p>
      <Button
        variant="default"
        size="compact-md"
        mt="xs"
        loading={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        {t('profile.keepEmail')}
      </Button>
    </Alert>
  )
}
