import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedMessage } from '../../../contract/messages.ts'
import { answer, api } from '../../client.ts'
import { ask } from '../../components/ask.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'

type Some = Pick<ListedMessage, 'id' | 'readAt' | 'answeredAt' | 'folder'>

/** What can be said of messages, each with its way back. */
const marks = {
  read: { is: ({ readAt }: Some) => readAt !== null, said: ['messages.markedRead', 'messages.markedUnread'] },
  answered: {
    is: ({ answeredAt }: Some) => answeredAt !== null,
    said: ['messages.markedAnswered', 'messages.markedOpen'],
  },
  spam: { is: ({ folder }: Some) => folder === 'spam', said: ['messages.movedToSpam', 'messages.movedBack'] },
} as const
type Mark = keyof typeof marks

function send(mark: Mark, ids: number[], on: boolean) {
  if (mark === 'read') return answer(api.messages.read.$post({ json: { ids, read: on } }))
  if (mark === 'answered') return answer(api.messages.answered.$post({ json: { ids, answered: on } }))
  return answer(api.messages.spam.$post({ json: { ids, spam: on } }))
}

interface Marking {
  mark: Mark
  ids: number[]
  on: boolean
  /** The way back needs no way back, and what happens by itself is not told. */
  quiet?: 'undoing' | 'unsaid'
}

/** Marks messages: those that are marked so by now are left alone, so that the way back leaves them alone too. */
export function useMarking() {
  const t = useText()
  const queries = useQueryClient()
  const marking = useMutation({
    mutationFn: ({ mark, ids, on }: Marking) => send(mark, ids, on),
    onSuccess(_now, { mark, ids, on, quiet }) {
      if (quiet === 'unsaid') return
      const back = () => marking.mutate({ mark, ids, on: !on, quiet: 'undoing' })
      tell(t(marks[mark].said[on ? 0 : 1], { count: ids.length }), quiet ? undefined : back)
    },
    onError: (error, { quiet }) => quiet !== 'unsaid' && tellFailure(t('messages.notChanged'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['messages'] }),
  })
  return (mark: Mark, messages: Some[], on: boolean, quiet?: 'unsaid') => {
    const ids = messages.filter((one) => marks[mark].is(one) !== on).map(({ id }) => id)
    if (ids.length > 0) marking.mutate({ mark, ids, on, ...(quiet && { quiet }) })
    else tell(t(marks[mark].said[on ? 0 : 1], { count: messages.length }))
  }
}

/** What cannot be undone is asked. @returns what asks, and deletes when that is wanted; it resolves with whether it did */
export function useDeleting() {
  const t = useText()
  const queries = useQueryClient()
  const deleting = useMutation({
    mutationFn: (ids: number[]) => answer(api.messages.delete.$post({ json: { ids } })),
    onSuccess: (_done, ids) => tell(t('messages.deleted', { count: ids.length })),
    onError: (error) => tellFailure(t('messages.notDeleted'), error),
  })
  const remove = async (ids: number[], after?: () => unknown): Promise<void> => {
    const title = t('messages.deleteMany', { count: ids.length })
    if (!(await ask({ title, text: t('messages.deleteText'), yes: t('form.delete'), danger: true }))) return
    await deleting.mutateAsync(ids).then(
      async () => {
        await after?.()
        for (const id of ids) queries.removeQueries({ queryKey: ['messages', 'one', id] })
        await queries.invalidateQueries({ queryKey: ['messages'] })
      },
      // It was told already.
      () => {},
    )
  }
  return { remove, isPending: deleting.isPending }
}
