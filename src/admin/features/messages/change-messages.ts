import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedMessage } from '../../../contract/messages.ts'
import { api, parseResponse } from '../../client.ts'
import { confirmDeletion } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'

type Marked = Pick<ListedMessage, 'id' | 'readAt' | 'answeredAt' | 'folder'>

/** For each mark: whether a message has it, and the notifications for setting and clearing it. */
const marks = {
  read: { isSet: ({ readAt }: Marked) => readAt !== null, texts: ['messages.markedRead', 'messages.markedUnread'] },
  answered: {
    isSet: ({ answeredAt }: Marked) => answeredAt !== null,
    texts: ['messages.markedAnswered', 'messages.markedOpen'],
  },
  spam: { isSet: ({ folder }: Marked) => folder === 'spam', texts: ['messages.movedToSpam', 'messages.movedBack'] },
} as const
export type Mark = keyof typeof marks

function sendMark(mark: Mark, ids: number[], on: boolean) {
  if (mark === 'read') return parseResponse(api.messages.read.$post({ json: { ids, read: on } }))
  if (mark === 'answered') return parseResponse(api.messages.answered.$post({ json: { ids, answered: on } }))
  return parseResponse(api.messages.spam.$post({ json: { ids, spam: on } }))
}

interface Marking {
  mark: Mark
  ids: number[]
  /** Whether the mark is set or cleared. */
  on: boolean
  /** `undoing`: without an undo button; `silent`: without a notification. */
  quiet?: 'undoing' | 'silent'
}

/** Returns a function that sets or clears a mark. It skips messages that need no change, so that undo spares them too. */
export function useMarkMessages() {
  const t = useText()
  const queries = useQueryClient()
  const marking = useMutation({
    mutationFn: ({ mark, ids, on }: Marking) => sendMark(mark, ids, on),
    onSuccess(_result, { mark, ids, on, quiet }) {
      if (quiet === 'silent') return
      const undo = () => marking.mutate({ mark, ids, on: !on, quiet: 'undoing' })
      notify(t(marks[mark].texts[on ? 0 : 1], { count: ids.length }), quiet ? undefined : undo)
    },
    onError: (error, { quiet }) => quiet !== 'silent' && notifyFailure(t('messages.notChanged'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (mark: Mark, messages: Marked[], on: boolean, quiet?: 'silent') => {
    const ids = messages.filter((message) => marks[mark].isSet(message) !== on).map(({ id }) => id)
    if (ids.length > 0) marking.mutate({ mark, ids, on, ...(quiet && { quiet }) })
    else notify(t(marks[mark].texts[on ? 0 : 1], { count: messages.length }))
  }
}

/** Returns a function that deletes messages after confirmation. */
export function useDeleteMessages() {
  const t = useText()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: (ids: number[]) => parseResponse(api.messages.delete.$post({ json: { ids } })),
    onSuccess: (_result, ids) => notify(t('messages.deleted', { count: ids.length })),
    onError: (error) => notifyFailure(t('messages.notDeleted'), error),
  })
  /** @param onDeleted called before the messages are removed from the cache, for example to leave their screen */
  const remove = async (ids: number[], onDeleted?: () => unknown): Promise<void> => {
    if (!(await confirmDeletion(t('messages.type', { count: ids.length }), t('messages.deleteText')))) return
    await deleting.mutateAsync(ids).then(
      async () => {
        await onDeleted?.()
        for (const id of ids) queries.removeQueries({ queryKey: ['messages', 'one', id] })
        await queries.invalidateQueries({ queryKey: ['messages'] })
      },
      // `onError` has notified of the error.
      () => {},
    )
  }
  return { remove, isPending: deleting.isPending }
}
