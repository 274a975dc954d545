import { ActionIcon, Button } from '@mantine/core'
import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, RotateCcw, X } from 'lucide-react'
import { Refused } from '../../client.ts'
import { TextLink } from '../../components/link-button.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { sizeText } from './files.ts'
import styles from './upload-list.module.css'
import type { Upload, UploadQueue } from './upload-queue.ts'
import { isUnderWay, TooLarge } from './use-uploads.ts'

const icons = { waiting: Clock, sending: LoaderCircle, done: CircleCheck, failed: CircleX, cancelled: Ban }

/** What is on its way and what became of it, each with its own way to stop it or to try again. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const t = useText()
  if (uploads.length === 0) return null
  const busy = uploads.some(isUnderWay)
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section className={styles.uploads} aria-label={t('files.queue.title')}>
      <header>
        <p role="status">{t('files.queue.status', { done, all: uploads.length })}</p>
        {busy ? (
          <Button variant="subtle" onClick={() => queue.cancelAll()}>
            {t('files.queue.cancelAll')}
          </Button>
        ) : (
          <Button variant="subtle" leftSection={<X size={18} aria-hidden />} onClick={() => queue.clear()}>
            {t('files.queue.clear')}
          </Button>
        )}
      </header>
      <ul>
        {uploads.map((upload) => (
          <Line key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </section>
  )
}

function Line({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const t = useText()
  const locale = useLocale()
  const { id, file, state, percent, stored } = upload
  const Icon = icons[state]
  const name = <bdi>{stored?.name ?? file.name}</bdi>
  return (
    <li data-state={state}>
      <Icon size={20} aria-hidden />
      <div className={styles.what}>
        <p>
          {stored ? (
            <TextLink to="/admin/files/$id" params={{ id: String(stored.id) }}>
              {name}
            </TextLink>
          ) : (
            name
          )}{' '}
          <span className="quiet small">{sizeText(file.size, t, locale)}</span>
        </p>
        {state === 'sending' && (
          <progress max={100} value={percent} aria-label={t('files.queue.progress', { name: file.name })} />
        )}
        <p className="quiet small" role={state === 'failed' ? 'alert' : undefined}>
          <State upload={upload} />
        </p>
      </div>
      {isUnderWay(upload) && (
        <ActionIcon
          aria-label={t('files.queue.cancel', { name: file.name })}
          title={t('form.cancel')}
          onClick={() => queue.cancel(id)}
        >
          <X size={18} aria-hidden />
        </ActionIcon>
      )}
      {(state === 'cancelled' || (state === 'failed' && mayPass(upload.error))) && (
        <ActionIcon
          aria-label={t('files.queue.retry', { name: file.name })}
          title={t('states.again')}
          onClick={() => queue.retry(id)}
        >
          <RotateCcw size={18} aria-hidden />
        </ActionIcon>
      )}
    </li>
  )
}

function State({ upload: { state, percent, stored, error } }: { upload: Upload }) {
  const t = useText()
  if (state === 'sending') return percent < 100 ? t('files.queue.sending', { percent }) : t('files.queue.storing')
  if (state === 'done' && stored?.already) return t('files.queue.already')
  if (state === 'failed') return whyNot(error) || t('files.queue.failed')
  return t(`files.queue.${state}`)
}

/** What is wrong with the file itself is so again. */
const mayPass = (error: unknown) =>
  !(error instanceof TooLarge) && !(error instanceof Refused && error.problem.errors.length > 0)

/** The server says it of the file; or it was not reached. */
export function whyNot(error: unknown): string {
  if (error instanceof TooLarge) return error.message
  const said = error instanceof Refused ? error.problem.errors[0]?.message : undefined
  return said ?? reasonOf(error)
}
