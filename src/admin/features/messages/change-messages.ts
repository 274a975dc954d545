import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedMessage } from '../../../contract/messages.ts'
import { api, parseResponse } from '../../client.ts'
import { confirmDeletion } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'

type Some = Pick<ListedMessage, 'id' | 'readAt' | 'answeredAt' | 'folder'>

/** The marks of a message, with the notifications for setting and clearing each. */
const marks = {
  read: { is: ({ readAt }: Some) => readAt !== null, texts: ['messages.markedRead', 'messages.markedUnread'] },
  answered: {
    is: ({ answeredAt }: Some) => answeredAt !== null,
    texts: ['messages.markedAnswered', 'messages.markedOpen'],
  },
  spam: { is: ({ folder }: Some) => folder === 'spam', texts: ['messages.movedToSpam', 'messages.movedBack'] },
} as const
type Mark = keyof typeof marks

function send(mark: Mark, ids: number[], on: boolean) {
  if (mark === 'read') return parseResponse(api.messages.read.$post({ json: { ids, read: on } }))
  if (mark === 'answered') return parseResponse(api.messages.answered.$post({ json: { ids, answered: on } }))
  return parseResponse(api.messages.spam.$post({ json: { ids, spam: on } }))
}

interface Marking {
  mark: Mark
  ids: number[]
  on: boolean
  /** `undoing`: without an undo button; `silent`: without a notification. */
  quiet?: 'undoing' | 'silent'
}

/** Marks messages. Those that have the mark, as they are given, are skipped, so that undo does not change them either. */
export function useMarkMessages() {
  const t = useText()
  const queries = useQueryClient()
  const marking = useMutation({
    mutationFn: ({ mark, ids, on }: Marking) => send(mark, ids, on),
    onSuccess(_now, { mark, ids, on, quiet }) {
      if (quiet === 'silent') return
      const undo = () => marking.mutate({ mark, ids, on: !on, quiet: 'undoing' })
      notify(t(marks[mark].texts[on ? 0 : 1], { count: ids.length }), quiet ? undefined : undo)
    },
    onError: (error, { quiet }) => quiet !== 'silent' && notifyFailure(t('messages.notChanged'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (mark: Mark, messages: Some[], on: boolean, quiet?: 'silent') => {
    const ids = messages.filter((one) => marks[mark].is(one) !== on).map(({ id }) => id)
    if (ids.length > 0) marking.mutate({ mark, ids, on, ...(quiet && { quiet }) })
    else notify(t(marks[mark].texts[on ? 0 : 1], { count: messages.length }))
  }
}

/** Deletes messages after confirmation. */
export function useDeleteMessages() {
  const t = useText()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: (ids: number[]) => parseResponse(api.messages.delete.$post({ json: { ids } })),
    onSuccess: (_done, ids) => notify(t('messages.deleted', { count: ids.length })),
    onError: (error) => notifyFailure(t('messages.notDeleted'), error),
  })
  const remove = async (ids: number[], after?: () => unknown): Promise<void> => {
    if (!(await confirmDeletion(t('messages.type', { count: ids.length }), t('messages.deleteText')))) return
    await deleting.mutateAsync(ids).then(
      async () => {
        await after?.()
        for (const id of ids) queries.removeQueries({ queryKey: ['messages', 'one', id] })
        await queries.invalidateQueries({ queryKey: ['messages'] })
      },
      // The error was already reported.
      () => {},
    )
  }
  return { remove, isPending: deleting.isPending }
}
