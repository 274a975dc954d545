import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import * as lucide from 'lucide-react'
import { useRef, useState } from 'react'
import { type ConfigScreen, configScreens } from '../../../contract/admin-start.ts'
import { findCollection } from '../../../contract/collections.ts'
import { configChanges, type SiteParts } from '../../../contract/config-parts.ts'
import type { Configuration, FileReport } from '../../../contract/configuration.ts'
import { ApiRefusal, api, downloadFile, isApiRefusal, parseAs } from '../../client.ts'
import { DownloadButton, LinkButton } from '../../components/buttons.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { notify, notifyFailure, reasonOf } from '../../components/notify.tsx'
import { Page, Section } from '../../components/page.tsx'
import { currentLocale, useLanguageIn, useText } from '../../i18n.ts'
import { collectionName } from '../collections/collections.ts'
import { useRight } from '../sign-in/me.ts'
import { ChangesTable } from './changed-value.tsx'
import styles from './config.module.css'
import { configQuery, configReadRights, storeConfiguration } from './config.ts'

const icons: Record<ConfigScreen, lucide.LucideIcon> = {
  brand: lucide.Tag,
  logo: lucide.Image,
  palette: lucide.Palette,
  look: lucide.Shapes,
  offer: lucide.BadgeEuro,
  collections: lucide.LibraryBig,
  business: lucide.Clock,
  menu: lucide.Menu,
  navbar: lucide.PanelTop,
  footer: lucide.PanelBottom,
  seo: lucide.Search,
  contact: lucide.Mail,
  forms: lucide.ClipboardList,
  spam: lucide.ShieldAlert,
  retention: lucide.Hourglass,
  sender: lucide.AtSign,
  legal: lucide.Building2,
  locales: lucide.Languages,
  texts: lucide.MessageSquareText,
}

/** The overview of all settings screens, with export and import. */
export function ConfigPage() {
  const t = useText()
  return (
    <Page
      title={t('config.title')}
      lead={t('config.lead')}
      allowed={useRight(...configReadRights)}
      actions={
        <LinkButton to="/admin/config/revisions" leftSection={<lucide.History />}>
          {t('config.revisions.title')}
        </LinkButton>
      }
    >
      <ul className={styles.cards}>
        {configScreens.map((screen) => {
          const Icon = icons[screen]
          return (
            <li key={screen}>
              <Link to="/admin/config/$part" params={{ part: screen }} className={styles.card}>
                <Icon size={24} strokeWidth={1.75} />
                <strong>{t(`config.screens.${screen}.title`)}</strong>
                <span>{t(`config.screens.${screen}.lead`)}</span>
              </Link>
            </li>
          )
        })}
        <li>
          <Link to="/admin/config/mail" className={styles.card}>
            <lucide.Send size={24} strokeWidth={1.75} />
            <strong>{t('config.mail.title')}</strong>
            <span>{t('config.mail.lead')}</span>
          </Link>
        </li>
      </ul>
      <Section title={t('config.file.title')} lead={t('config.file.lead')}>
        <FileTools />
      </Section>
    </Page>
  )
}

/** What importing the chosen file would change. */
interface ImportReport {
  /** The content of the file. */
  file: string
  current: Configuration
  imported: SiteParts
  /** The titles of pages that differ from the file. */
  titles: string[]
  /** Whether these pages would be replaced. */
  withPages: boolean
  /** Collections that the file lacks and that have entries. */
  hidden: FileReport['hidden']
  /** Languages that the file lacks and that have pages. */
  hiddenLanguages: FileReport['hiddenLanguages']
}

/** Exports all settings as a file, and imports a file after showing what that would change. */
function FileTools() {
  const t = useText()
  const languageIn = useLanguageIn()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [report, setReport] = useState<ImportReport>()
  const download = useMutation({
    mutationFn: () => downloadFile(api.config.export.$get()),
    onSuccess(headers) {
      const omittedEntries = Number(headers.get('x-entries-left-out'))
      if (omittedEntries > 0) notify(t('config.file.leftOut', { count: omittedEntries }))
    },
    onError: (error) => notifyFailure(t('config.file.notExported'), error),
  })
  const checkFile = useMutation({
    mutationFn: async (chosen: Blob): Promise<ImportReport> => {
      const file = await chosen.text()
      const current = await queries.fetchQuery({ ...configQuery, staleTime: 0 })
      const { config, pages, withPages, hidden, hiddenLanguages } = await parseAs<FileReport>(
        api.config.check.$post({ json: { file } }),
      )
      const titles = pages.map(({ title }) => title)
      return { file, current, imported: config, titles, withPages, hidden, hiddenLanguages }
    },
    onSuccess: setReport,
  })
  const runImport = useMutation({
    mutationFn: ({ file, current: { version } }: ImportReport) =>
      parseAs<Configuration>(api.config.import.$post({ json: { file, version } })),
    onSuccess(saved) {
      storeConfiguration(queries, saved)
      void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      void queries.invalidateQueries({ queryKey: ['pages'] })
      setReport(undefined)
      notify(t('config.file.imported'))
    },
    // Somebody else saved meanwhile, so the report is outdated.
    onError(error, { file }) {
      if (isApiRefusal(error, 'stale')) checkFile.mutate(new Blob([file]))
    },
  })
  const close = () => {
    setReport(undefined)
    runImport.reset()
  }
  const changes = report ? configChanges(report.current.config, report.imported) : []
  const changesPages = report?.withPages && report.titles.length > 0
  const changesNothing = changes.length === 0 && !changesPages
  return (
    <>
      <div className="row">
        <DownloadButton label={t('config.file.export')} download={download} />
        <Button leftSection={<lucide.Upload />} loading={checkFile.isPending} onClick={() => input.current?.click()}>
          {t('config.file.import')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label={t('config.file.choose')}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            if (chosen) checkFile.mutate(chosen)
          }}
        />
      </div>
      {checkFile.error && <FileErrors error={checkFile.error} />}
      {report && (
        <Dialog title={t('config.file.report')} wide onClose={close}>
          {runImport.error && (
            <SaveFailure title={t('config.notSaved')} error={runImport.error} unplaced={problemsIn(runImport.error)} />
          )}
          {changesNothing && <p>{t('config.file.same')}</p>}
          {changes.length > 0 && (
            <ChangesTable
              changes={changes}
              configs={[report.current.config, report.imported]}
              before={t('config.revisions.now')}
              after={t('config.revisions.after')}
            />
          )}
          <Titles lead={t(report.withPages ? 'config.file.pages' : 'config.file.pagesLeft')} titles={report.titles} />
          <Titles
            lead={t('config.file.hidden')}
            titles={report.hidden.map(
              ({ id, entries }) => `${nameOf(report.current, id)}: ${t('config.locales.pages', { count: entries })}`,
            )}
          />
          <Titles
            lead={t('config.file.hiddenLanguages')}
            titles={report.hiddenLanguages.map(
              ({ locale, pages }) => `${languageIn(locale)}: ${t('config.locales.pages', { count: pages })}`,
            )}
          />
          <DialogActions onClose={close}>
            {!changesNothing && (
              <Button
                variant="filled"
                loading={runImport.isPending || checkFile.isPending}
                onClick={() => runImport.mutate(report)}
              >
                {t('config.file.put')}
              </Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** The name of a collection, or its id if the configuration lacks the collection. */
function nameOf({ config }: Configuration, id: string): string {
  const collection = findCollection(config, id)
  return collection ? collectionName(collection, currentLocale()) : id
}

/** A list under a lead; nothing without titles. */
function Titles({ lead, titles }: { lead: string; titles: readonly string[] }) {
  if (titles.length === 0) return null
  return (
    <>
      <p>{lead}</p>
      <ul>
        {titles.map((title) => (
          <li key={title}>
            <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}

const problemsIn = (error: unknown) => (error instanceof ApiRefusal ? error.problem.errors : [])

/** The errors in a file, each with its path in the file. */
function FileErrors({ error }: { error: unknown }) {
  const t = useText()
  const problems = problemsIn(error)
  return (
    <Alert color="red" role="alert" title={t('config.file.wrong')}>
      {problems.length === 0 && reasonOf(error)}
      <ul>
        {problems.map(({ path, message }) => (
          <li key={path}>
            {path && <bdi dir="ltr">{path}: </bdi>}
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
