import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { User } from '../../../contract/users.ts'
import { answer, api } from '../../client.ts'
import { tell, tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import { meQuery } from '../sign-in/me.ts'
import { bodyOf, type UserValues } from './user-values.ts'
import { userQuery } from './users.ts'

/** There is one branding: the site's own. */
const brandingId = 1

/** Saves a user, and when that is wanted mails the password that was just set. */
export function useSaveUser(user: User | undefined) {
  const t = useText()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ values, version }: { values: UserValues; version: number | undefined }): Promise<User> => {
      const json = bodyOf(values, version)
      return user
        ? answer(api.users[':id'].$put({ param: { id: String(user.id) }, json }))
        : answer(api.users.$post({ json }))
    },
    async onSuccess(saved, { values }) {
      tell(t('users.saved'))
      queries.setQueryData(userQuery(saved.id).queryKey, saved)
      void queries.invalidateQueries({ queryKey: ['users', 'list'] })
      void queries.invalidateQueries({ queryKey: ['roles'] })
      void queries.invalidateQueries({ queryKey: meQuery.queryKey })
      if (values.password === '' || !values.mailPassword) return
      const { email: to } = saved
      const templateId = user ? 'updatedUser' : 'newUser'
      try {
        await answer(
          api.notification.email.$post({
            json: { brandingId, templateId, to, name: saved.name, password: values.password },
          }),
        )
        tell(t('users.passwordMailed', { email: to }))
      } catch (error) {
        tellFailure(t('users.passwordNotMailed'), error)
      }
    },
  })
}
