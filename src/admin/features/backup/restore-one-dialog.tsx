import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Search, Undo2 } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { BackupRun, MessageInBackup, PageInBackup, RestoreOneProblem } from '../../../contract/backups.ts'
import { api, isApiRefusal, parseResponse } from '../../client.ts'
import { TextLink } from '../../components/buttons.tsx'
import { Moment, siteTimeText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { type TFunction, useLocale, useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import styles from './backups.module.css'

/** A message or a page that a search found in the backup. */
type SearchResult = { message: MessageInBackup } | { page: PageInBackup }

/** A ref callback: focuses an element when it appears. */
const focusOnMount = (element: HTMLElement | null) => element?.focus()

/**
 * A dialog to find a message or a page in a backup, to preview it and to restore it to the site. Closing the dialog
 * aborts a running request; what was restored by then stays.
 */
export function RestoreOneDialog({ run, onClose }: { run: BackupRun; onClose: () => void }) {
  const t = useText()
  const locale = useLocale()
  const mainLocale = useMainLocale()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<SearchResult>()
  const abortOnUnmount = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    abortOnUnmount.current = controller
    return () => controller.abort()
  }, [])
  const param = { id: String(run.id) }
  const requestOptions = () => ({ init: { signal: abortOnUnmount.current?.signal ?? null } })
  const restoreMessage = useMutation({
    mutationFn: ({ reference }: MessageInBackup) =>
      parseResponse(api.backups[':id'].messages.$post({ param, json: { reference } }, requestOptions())),
  })
  const restorePage = useMutation({
    mutationFn: ({ id }: PageInBackup) =>
      parseResponse(api.backups[':id'].pages.$post({ param, json: { id } }, requestOptions())),
  })
  /** Also clears the result of the previous choice. */
  const choose = (result: SearchResult | undefined) => {
    restoreMessage.reset()
    restorePage.reset()
    setChosen(result)
  }
  const search = useMutation({
    mutationFn: () => parseResponse(api.backups[':id'].search.$post({ param, json: { text } }, requestOptions())),
    onMutate: () => choose(undefined),
  })
  const isBusy = search.isPending || restoreMessage.isPending || restorePage.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search.mutate()
  }
  const restoreChosen = () => {
    if (chosen && 'message' in chosen) restoreMessage.mutate(chosen.message)
    else if (chosen) restorePage.mutate(chosen.page)
  }
  const restoredMessage = restoreMessage.data?.message
  const restoredPage = restorePage.data?.page
  const isRestored = Boolean(restoredMessage || restoredPage)
  const found = search.data?.found
  return (
    <Dialog title={t('backups.restoreOne.title')} wide onClose={onClose}>
      <p className="flush">
        {t('backups.restoreOne.lead', { date: siteTimeText(new Date(run.startedAt ?? run.askedAt), locale, t) })}
      </p>
      {!isRestored && (
        <form onSubmit={submit} noValidate className="stack">
          <TextInput
            label={t('backups.restoreOne.search')}
            description={t('backups.restoreOne.searchHelp')}
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
            {t('backups.restoreOne.find')}
          </Button>
        </form>
      )}
      <div role="status" className="stack">
        {isBusy && <p className="quiet flush">{t('backups.restoreOne.reading')}</p>}
        {!isBusy && <Problem {...(restoreMessage.data ?? restorePage.data ?? search.data)} />}
        {!isBusy && <RequestFailure error={restoreMessage.error ?? restorePage.error ?? search.error} />}
        {!isBusy && found && !isRestored && (
          <>
            {found.messages.length + found.pages.length === 0 && (
              <p className="flush">{t('backups.restoreOne.nothing')}</p>
            )}
            {found.more && <p className="quiet flush">{t('backups.restoreOne.more')}</p>}
          </>
        )}
        {restoredMessage && (
          <Alert title={t('backups.restoreOne.messageBack')}>
            <p className="flush">
              {t('backups.restoreOne.messageBackText', {
                files: restoredMessage.files,
                replies: restoredMessage.replies,
              })}
            </p>
            <MissingFiles names={restoredMessage.missingFiles} />
            <TextLink to="/admin/messages/$id" params={{ id: String(restoredMessage.reference) }}>
              {t('backups.restoreOne.openMessage')}
            </TextLink>
          </Alert>
        )}
        {restoredPage && (
          <Alert title={t('backups.restoreOne.pageBack')}>
            <p className="flush">{t('backups.restoreOne.pageBackText')}</p>
            <Paths paths={restoredPage.paths} />
            <Names label={t('backups.restoreOne.files')} names={restoredPage.files} />
            <MissingFiles names={restoredPage.missingFiles} />
            <TextLink
              to="/admin/pages/$id/$locale"
              params={{ id: String(restoredPage.id), locale: restoredPage.paths[0]?.locale ?? mainLocale }}
            >
              {t('backups.restoreOne.openPage')}
            </TextLink>
          </Alert>
        )}
      </div>
      {!isBusy && found && !isRestored && !chosen && (
        <ul className={styles.found}>
          {found.messages.map((message) => (
            <li key={`message-${message.reference}`}>
              <MessageSummary message={message} />
              {message.problem === null && (
                <ChooseButton name={nameOf(message, t)} onClick={() => choose({ message })} />
              )}
            </li>
          ))}
          {found.pages.map((page) => (
            <li key={`page-${page.id}`}>
              <PageSummary page={page} />
              <ChooseButton name={page.title} onClick={() => choose({ page })} />
            </li>
          ))}
        </ul>
      )}
      {chosen && !isRestored && (
        <section className="stack" aria-label={t('backups.restoreOne.preview')}>
          <h3 ref={focusOnMount} tabIndex={-1}>
            {t('backups.restoreOne.preview')}
          </h3>
          {'message' in chosen ? <MessageSummary message={chosen.message} /> : <PageSummary page={chosen.page} />}
          <p className="flush">
            {t('message' in chosen ? 'backups.restoreOne.willMessage' : 'backups.restoreOne.willPage')}
          </p>
          <div className="row">
            <Button disabled={isBusy} onClick={() => choose(undefined)}>
              {t('backups.restoreOne.other')}
            </Button>
            <Button variant="filled" loading={isBusy} leftSection={<Undo2 />} onClick={restoreChosen}>
              {t('backups.restoreOne.confirm')}
            </Button>
          </div>
        </section>
      )}
      <DialogActions onClose={onClose} close={t(isRestored ? 'form.close' : 'form.cancel')} />
    </Dialog>
  )
}

function ChooseButton({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useText()
  return (
    <Button aria-label={t('backups.restoreOne.chooseNamed', { name })} onClick={onClick}>
      {t('backups.restoreOne.choose')}
    </Button>
  )
}

/** The sender's name; the reference of the message if it has none, because the form asks for none or the sender was erased. */
const nameOf = ({ name, reference }: MessageInBackup, t: TFunction) =>
  name || t('backups.restoreOne.message', { reference })

function MessageSummary({ message }: { message: MessageInBackup }) {
  const { reference, name, email, at, files, replies, problem } = message
  const t = useText()
  return (
    <div>
      <strong>
        <bdi>{nameOf(message, t)}</bdi>
      </strong>{' '}
      <bdi dir="ltr">{email}</bdi>
      <div className="quiet small">
        <Moment at={at} /> · {name !== '' && `${t('backups.restoreOne.message', { reference })} · `}
        {t('backups.restoreOne.contents', { files, replies })}
      </div>
      {problem && <div className="small">{t(`backups.restoreOne.problems.${problem}`)}</div>}
    </div>
  )
}

function PageSummary({ page: { title, isPublished, paths, files } }: { page: PageInBackup }) {
  const t = useText()
  return (
    <div>
      <strong>
        <bdi>{title}</bdi>
      </strong>{' '}
      {!isPublished && t('backups.restoreOne.unpublished')}
      <Paths paths={paths} />
      <Names label={t('backups.restoreOne.files')} names={files} />
    </div>
  )
}

/** The new address of the page in each language, with the address in the backup where that is not available. */
function Paths({ paths }: { paths: PageInBackup['paths'] }) {
  const t = useText()
  return paths.map(({ locale, from, to }) => (
    <div key={locale} className="quiet small">
      <bdi dir="ltr">{to}</bdi>
      {from !== to && (
        <>
          {' '}
          ({t('backups.restoreOne.instead')} <bdi dir="ltr">{from}</bdi>)
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

function MissingFiles({ names }: { names: readonly string[] }) {
  const t = useText()
  return <Names label={t('backups.restoreOne.missingFiles')} names={names} />
}

const problemsWithDetail: readonly RestoreOneProblem[] = ['unreachable', 'damaged', 'journal', 'noRoom']

/** Why a search or a restore failed. @param props.detail a technical message in English, shown with some problems */
function Problem({ problem, detail = '' }: { problem?: RestoreOneProblem | null; detail?: string }) {
  const t = useText()
  if (!problem) return null
  return (
    <Alert color="red" title={t('backups.restoreOne.notTaken')}>
      {t(`backups.restoreOne.problems.${problem}`)}
      {problemsWithDetail.includes(problem) && (
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
    <Alert color="red" title={t('backups.restoreOne.notTaken')}>
      {isApiRefusal(error, 'too_many') ? t('backups.restoreOne.busy') : reasonOf(error)}
    </Alert>
  )
}
