import { Button } from '@mantine/core'
import type { ListedMessage } from '../../../contract/messages.ts'
import { ChosenBar } from '../../components/chosen-bar.tsx'
import { useText } from '../../i18n.ts'
import { useDeleting, useMarking } from './change-messages.ts'

/** What can be done with several at once. */
export function ChosenMessages(props: { messages: ListedMessage[]; mayWrite: boolean; done: () => void }) {
  const { messages, mayWrite, done } = props
  const t = useText()
  const mark = useMarking()
  const { remove, isPending } = useDeleting()
  const act = (...[what, on]: [Parameters<typeof mark>[0], boolean]) => {
    mark(what, messages, on)
    done()
  }
  const inSpam = messages.every(({ folder }) => folder === 'spam')
  return (
    <ChosenBar label={t('messages.many')} count={messages.length} done={done}>
      <Button variant="default" onClick={() => act('read', true)}>
        {t('messages.markRead')}
      </Button>
      <Button variant="default" onClick={() => act('read', false)}>
        {t('messages.markUnread')}
      </Button>
      {mayWrite && (
        <>
          {!inSpam && (
            <Button variant="default" onClick={() => act('answered', true)}>
              {t('messages.answeredElsewhere')}
            </Button>
          )}
          <Button variant="default" onClick={() => act('spam', !inSpam)}>
            {t(inSpam ? 'messages.notSpam' : 'messages.spam')}
          </Button>
          <Button
            variant="default"
            className="danger"
            loading={isPending}
            onClick={() =>
              void remove(
                messages.map(({ id }) => id),
                done,
              )
            }
          >
            {t('form.delete')}
          </Button>
        </>
      )}
    </ChosenBar>
  )
}
