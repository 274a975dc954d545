import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { DatabaseBackup, Printer } from 'lucide-react'
import { useState } from 'react'
import { type BackupRun, type Backups, canManageBackups } from '../../../contract/backups.ts'
import { intlTagOf } from '../../../contract/locales.ts'
import { api, parseResponse } from '../../client.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { Moment, siteTimeText } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { useMe } from '../sign-in/me.ts'
import { BackupSettingsForm } from './backup-settings-form.tsx'
import styles from './backups.module.css'
import { backupsQuery, useDurationText } from './backups.ts'
import { TestRestoreSection } from './proof-section.tsx'
import { RestoreOneDialog } from './restore-one-dialog.tsx'

/** The screen of the backups: the next and the existing ones, test restores, settings and the recovery sheet. */
export function BackupsPage() {
  const t = useText()
  return (
    <Page
      title={t('shell.backups')}
      lead={t('backups.lead')}
      back={{ to: '/admin/config', label: t('shell.settings') }}
      allowed={canManageBackups(useMe())}
      actions={<MakeBackupButton />}
    >
      <Content />
    </Page>
  )
}

/** A button that requests a backup, which is then made in the background. */
function MakeBackupButton() {
  const t = useText()
  const queries = useQueryClient()
  const request = useMutation({
    mutationFn: async () => void (await parseResponse(api.backups.$post())),
    onSuccess: () => notify(t('backups.asked')),
    onError: (error) => notifyFailure(t('backups.notAsked'), error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['backups'] }),
  })
  return (
    <Button
      variant="filled"
      leftSection={<DatabaseBackup />}
      loading={request.isPending}
      onClick={() => request.mutate()}
    >
      {t('backups.now')}
    </Button>
  )
}

function Content() {
  const { data, error, refetch } = useQuery(backupsQuery)
  const t = useText()
  if (!data) return <LoadingOrError error={error} refetch={refetch} />
  return (
    <>
      <Status backups={data} />
      <Section title={t('backups.list')}>
        {data.runs.length === 0 ? (
          <Empty icon={DatabaseBackup} title={t('backups.none')} text={t('backups.noneText')} />
        ) : (
          <RunList runs={data.runs} />
        )}
      </Section>
      <TestRestoreSection backups={data} />
      <Section title={t('backups.settings.title')} lead={t('backups.settings.lead')}>
        <BackupSettingsForm settings={data.settings} />
      </Section>
      <Section title={t('backups.sheet.title')} lead={t('backups.sheet.lead')}>
        <RecoverySheet />
      </Section>
    </>
  )
}

/** When the next backup is made, and why the last one failed. */
function Status({ backups: { nextAt, runs } }: { backups: Backups }) {
  const t = useText()
  const locale = useLocale()
  // Finished, and not by the command line, which showed the operator its error.
  const lastRun = runs.find(({ state, madeBy }) => madeBy !== 'command' && (state === 'done' || state === 'failed'))
  return (
    <>
      {lastRun?.state === 'failed' && (
        <Alert color="red" title={t('backups.failed')}>
          <FailureReason run={lastRun} />
        </Alert>
      )}
      {nextAt === null ? (
        <Alert title={t('backups.off')}>{t('backups.offText')}</Alert>
      ) : (
        <p className="flush">{t('backups.next', { date: siteTimeText(new Date(nextAt), locale, t) })}</p>
      )}
    </>
  )
}

function FailureReason({ run: { error } }: { run: BackupRun }) {
  const t = useText()
  if (error === 'interrupted') return t('backups.interrupted')
  return <bdi>{error}</bdi>
}

function RunList({ runs }: { runs: BackupRun[] }) {
  const t = useText()
  const [openedRun, setOpenedRun] = useState<BackupRun>()
  const locale = useLocale()
  const megabytes = new Intl.NumberFormat(intlTagOf(locale), {
    style: 'unit',
    unit: 'megabyte',
    maximumSignificantDigits: 3,
  })
  const duration = useDurationText()
  const columns: Column<BackupRun>[] = [
    {
      label: t('backups.when'),
      cell: ({ startedAt, askedAt }) => (
        <>
          <Moment at={startedAt ?? askedAt} />
          <div className="quiet small">{ageText(new Date(startedAt ?? askedAt), intlTagOf(locale))}</div>
        </>
      ),
    },
    {
      label: t('backups.result'),
      wide: true,
      cell: (run) => (
        <>
          {t(`backups.states.${run.state}`)}
          {run.error !== '' && (
            <div className="quiet small">
              <FailureReason run={run} />
            </div>
          )}
        </>
      ),
    },
    {
      label: t('backups.size'),
      cell: ({ state, bytes, rows, files }) =>
        state === 'done' && (
          <>
            {megabytes.format(bytes / 1_000_000)}
            {rows > 0 && <div className="quiet small">{t('backups.contents', { rows, files })}</div>}
          </>
        ),
    },
    {
      label: t('backups.took'),
      cell: ({ startedAt, finishedAt }) =>
        startedAt && finishedAt && duration(Date.parse(finishedAt) - Date.parse(startedAt)),
    },
    {
      label: t('backups.how'),
      cell: ({ madeBy, by }) => <bdi>{t(`backups.madeBy.${madeBy}`, { name: by.name })}</bdi>,
    },
    {
      label: t('backups.where'),
      wide: true,
      cell: ({ target }) => (
        <bdi dir="ltr" className="small">
          {target}
        </bdi>
      ),
    },
  ]
  return (
    <>
      <DataList
        caption={t('backups.list')}
        columns={columns}
        rows={runs}
        nameOf={({ name }) => name}
        actions={(run) =>
          run.state === 'done' && (
            <Button
              size="compact-sm"
              aria-label={t('backups.restoreOne.chooseFrom', {
                date: siteTimeText(new Date(run.startedAt ?? run.askedAt), locale, t),
              })}
              onClick={() => setOpenedRun(run)}
            >
              {t('backups.restoreOne.choose')}
            </Button>
          )
        }
      />
      {openedRun && <RestoreOneDialog run={openedRun} onClose={() => setOpenedRun(undefined)} />}
    </>
  )
}

/** How long ago a time was: `3 days ago`. */
function ageText(at: Date, locale: string): string {
  const hours = (at.getTime() - Date.now()) / 3_600_000
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  // At least a minute: with 0 the text would be ‘this minute’, and ‘in a minute’ if the clocks differ.
  if (hours > -1) return format.format(Math.min(-1, Math.round(hours * 60)), 'minute')
  return hours > -48 ? format.format(Math.round(hours), 'hour') : format.format(Math.round(hours / 24), 'day')
}

/** A button that shows the recovery sheet. The API requires the password, unless it was entered recently. */
function RecoverySheet() {
  const t = useText()
  const [text, setText] = useState<string>()
  const show = useMutation({
    mutationFn: () => parseResponse(api.backups['recovery-sheet'].$post()),
    onSuccess: (sheet: { text: string }) => setText(sheet.text),
    onError: (error) => notifyFailure(t('backups.sheet.notShown'), error),
  })
  return (
    <div className="row">
      <Button loading={show.isPending} onClick={() => show.mutate()}>
        {t('backups.sheet.show')}
      </Button>
      {text !== undefined && (
        <Dialog title={t('backups.sheet.title')} onClose={() => setText(undefined)}>
          <p className="flush">{t('backups.sheet.text')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that the keyboard must reach it */}
          <pre className={styles.sheet} tabIndex={0}>
            {text}
          </pre>
          <DialogActions onClose={() => setText(undefined)} close={t('form.close')}>
            <Button variant="filled" leftSection={<Printer />} onClick={() => window.print()}>
              {t('backups.sheet.print')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  )
}
