import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Search, Undo2 } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { BackupRun, MessageInBackup, PageInBackup, TakeOutProblem } from '../../../contract/backups.ts'
import { api, isApiRefusal, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment, siteTimeText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import styles from './backups.module.css'

/** One of the things that a search found. */
type Found = { message: MessageInBackup } | { page: PageInBackup }

const focus = (shown: HTMLElement | null) => shown?.focus()

interface Failure {
  problem: TakeOutProblem | null
  detail: string
}

/**
 * Finds a message or a page in a backup, shows what would come back, and takes it out. Closing it ends the reading; what was
 * taken out by then stays.
 */
export function TakeOutDialog({ run, onClose }: { run: BackupRun; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const mainLocale = useMainLocale()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Found>()
  const abortOnUnmount = useRef<AbortController>(undefined)
  useEffect(() => {
    const opened = new AbortController()
    abortOnUnmount.current = opened
    return () => opened.abort()
  }, [])
  const param = { id: String(run.id) }
  const init = () => ({ init: { signal: abortOnUnmount.current?.signal ?? null } })
  const takeMessage = useMutation({
    mutationFn: ({ reference }: MessageInBackup) =>
      parseResponse(api.backups[':id'].messages.$post({ param, json: { reference } }, init())),
  })
  const takePage = useMutation({
    mutationFn: ({ id }: PageInBackup) =>
      parseResponse(api.backups[':id'].pages.$post({ param, json: { id } }, init())),
  })
  /** Clears the results of the previous choice. */
  const choose = (found: Found | undefined) => {
    takeMessage.reset()
    takePage.reset()
    setChosen(found)
  }
  const search = useMutation({
    mutationFn: () => parseResponse(api.backups[':id'].search.$post({ param, json: { text } }, init())),
    onMutate: () => choose(undefined),
  })
  const isBusy = search.isPending || takeMessage.isPending || takePage.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate()
  }
  const take = () => {
    if (chosen && 'message' in chosen) takeMessage.mutate(chosen.message)
    else if (chosen) takePage.mutate(chosen.page)
  }
  const message = takeMessage.data?.message
  const page = takePage.data?.page
  const found = search.data?.found
  return (
    <Dialog title={t('backups.takeOut.title')} wide onClose={onClose}>
      <p className="flush">
        {t('backups.takeOut.lead', { date: siteTimeText(new Date(run.startedAt ?? run.askedAt), locale, t) })}
      </p>
      {!message && !page && (
        <form onSubmit={submit} noValidate className="stack">
          <TextInput
            label={t('backups.takeOut.search')}
            description={t('backups.takeOut.searchHelp')}
            maxLength={200}
            required
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            variant="filled"
            type="submit"
            leftSection={<Search />}
            loading={search.isPending}
            disabled={isBusy || text.trim() === ''}
          >
            {t('backups.takeOut.find')}
          </Button>
        </form>
      )}
      <div role="status" className="stack">
        {isBusy && <p className="quiet flush">{t('backups.takeOut.reading')}</p>}
        {!isBusy && <Problem {...(takeMessage.data ?? takePage.data ?? search.data)} />}
        {!isBusy && <RequestFailure error={takeMessage.error ?? takePage.error ?? search.error} />}
        {!isBusy && found && !message && !page && (
          <>
            {found.messages.length + found.pages.length === 0 && (
              <p className="flush">{t('backups.takeOut.nothing')}</p>
            )}
            {found.more && <p className="quiet flush">{t('backups.takeOut.more')}</p>}
          </>
        )}
        {message && (
          <Alert title={t('backups.takeOut.messageBack')}>
            <p className="flush">
              {t('backups.takeOut.messageBackText', { files: message.files, replies: message.replies })}
            </p>
            <Missing names={message.missingFiles} />
            <TextLink to="/admin/messages/$id" params={{ id: String(message.reference) }}>
              {t('backups.takeOut.openMessage')}
            </TextLink>
          </Alert>
        )}
        {page && (
          <Alert title={t('backups.takeOut.pageBack')}>
            <p className="flush">{t('backups.takeOut.pageBackText')}</p>
            <Paths paths={page.paths} />
            <Names label={t('backups.takeOut.files')} names={page.files} />
            <Missing names={page.missingFiles} />
            <TextLink
              to="/admin/pages/$id/$locale"
              params={{ id: String(page.id), locale: page.paths[0]?.locale ?? mainLocale }}
            >
              {t('backups.takeOut.openPage')}
            </TextLink>
          </Alert>
        )}
      </div>
      {!isBusy && found && !message && !page && !chosen && (
        <ul className={styles.found}>
          {found.messages.map((one) => (
            <li key={`message-${one.reference}`}>
              <MessageFound message={one} />
              {one.problem === null && <ChooseButton name={nameOf(one, t)} onClick={() => choose({ message: one })} />}
            </li>
          ))}
          {found.pages.map((one) => (
            <li key={`page-${one.id}`}>
              <PageFound page={one} />
              <ChooseButton name={one.title} onClick={() => choose({ page: one })} />
            </li>
          ))}
        </ul>
      )}
      {chosen && !message && !page && (
        <section className="stack" aria-label={t('backups.takeOut.preview')}>
          <h3 ref={focus} tabIndex={-1}>
            {t('backups.takeOut.preview')}
          </h3>
          {'message' in chosen ? <MessageFound message={chosen.message} /> : <PageFound page={chosen.page} />}
          <p className="flush">{t('message' in chosen ? 'backups.takeOut.willMessage' : 'backups.takeOut.willPage')}</p>
          <div className="row">
            <Button disabled={isBusy} onClick={() => choose(undefined)}>
              {t('backups.takeOut.other')}
            </Button>
            <Button variant="filled" loading={isBusy} leftSection={<Undo2 />} onClick={take}>
              {t('backups.takeOut.confirm')}
            </Button>
          </div>
        </section>
      )}
      <DialogActions onClose={onClose} close={t(message || page ? 'form.close' : 'form.cancel')} />
    </Dialog>
  )
}

function ChooseButton({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useText()
  return (
    <Button aria-label={t('backups.takeOut.chooseNamed', { name })} onClick={onClick}>
      {t('backups.takeOut.choose')}
    </Button>
  )
}

/** A form may ask for no name. */
const nameOf = ({ name, reference }: MessageInBackup, t: TFunction) =>
  name || t('backups.takeOut.message', { reference })

function MessageFound({ message }: { message: MessageInBackup }) {
  const { reference, name, email, at, files, replies, problem } = message
  const t = useText()
  return (
    <div>
      <strong>
        <bdi>{nameOf(message, t)}</bdi>
      </strong>{' '}
      <bdi dir="ltr">{email}</bdi>
      <div className="quiet small">
        <Moment at={at} /> · {name !== '' && `${t('backups.takeOut.message', { reference })} · `}
        {t('backups.takeOut.contents', { files, replies })}
      </div>
      {problem && <div className="small">{t(`backups.takeOut.problems.${problem}`)}</div>}
    </div>
  )
}

function PageFound({ page: { title, isPublished, paths, files } }: { page: PageInBackup }) {
  const t = useText()
  return (
    <div>
      <strong>
        <bdi>{title}</bdi>
      </strong>{' '}
      {!isPublished && t('backups.takeOut.unpublished')}
      <Paths paths={paths} />
      <Names label={t('backups.takeOut.files')} names={files} />
    </div>
  )
}

function Paths({ paths }: Pick<PageInBackup, 'paths'>) {
  const t = useText()
  return paths.map(({ locale, from, to }) => (
    <div key={locale} className="quiet small">
      <bdi dir="ltr">{to}</bdi>
      {from !== to && (
        <>
          {' '}
          ({t('backups.takeOut.instead')} <bdi dir="ltr">{from}</bdi>)
        </>
      )}
    </div>
  ))
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div className="quiet small">
      {label} <bdi>{names.join(', ')}</bdi>
    </div>
  )
}

function Missing({ names }: { names: readonly string[] }) {
  const t = useText()
  return <Names label={t('backups.takeOut.missingFiles')} names={names} />
}

function Problem({ problem, detail }: Partial<Failure>) {
  const t = useText()
  if (!problem) return null
  return (
    <Alert color="red" title={t('backups.takeOut.notTaken')}>
      {t(`backups.takeOut.problems.${problem}`)}
      {(problem === 'unreachable' || problem === 'damaged' || problem === 'journal' || problem === 'noRoom') && (
        <bdi lang="en" dir="ltr" className="small">
          {detail}
        </bdi>
      )}
    </Alert>
  )
}

function RequestFailure({ error }: { error: Error | null }) {
  const t = useText()
  if (!error) return null
  return (
    <Alert color="red" title={t('backups.takeOut.notTaken')}>
      {isApiRefusal(error, 'too_many') ? t('backups.takeOut.busy') : reasonOf(error)}
    </Alert>
  )
}
