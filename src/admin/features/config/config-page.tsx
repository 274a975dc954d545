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
import { Changes } from './changed-value.tsx'
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

/** The overview of all settings. */
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

/** The changes that importing the chosen file would make. */
interface Report {
  file: string
  version: number
  now: SiteParts
  config: SiteParts
  /** Pages that would be replaced. */
  pages: string[]
  /** Pages that differ from the file and are not replaced. */
  left: string[]
  /** Collections that the file lacks and that have entries. */
  hidden: FileReport['hidden']
  /** Languages that the file lacks and that have pages. */
  hiddenLanguages: FileReport['hiddenLanguages']
}

/** Exports all settings as a file, and imports one after showing what it changes. */
function FileTools() {
  const t = useText()
  const languageIn = useLanguageIn()
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [report, setReport] = useState<Report>()
  const download = useMutation({
    mutationFn: () => downloadFile(api.config.export.$get()),
    onSuccess(headers) {
      const left = Number(headers.get('x-entries-left-out'))
      if (left > 0) notify(t('config.file.leftOut', { count: left }))
    },
    onError: (error) => notifyFailure(t('config.file.notExported'), error),
  })
  const check = useMutation({
    mutationFn: async (chosen: Blob): Promise<Report> => {
      const file = await chosen.text()
      const now = await queries.fetchQuery({ ...configQuery, staleTime: 0 })
      const { config, pages, withPages, hidden, hiddenLanguages } = await parseAs<FileReport>(
        api.config.check.$post({ json: { file } }),
      )
      const titles = pages.map(({ title }) => title)
      const both = withPages ? { pages: titles, left: [] } : { pages: [], left: titles }
      return { file, version: now.version, now: now.config, config, hidden, hiddenLanguages, ...both }
    },
    onSuccess: setReport,
  })
  const put = useMutation({
    mutationFn: ({ file, version }: Report) =>
      parseAs<Configuration>(api.config.import.$post({ json: { file, version } })),
    onSuccess(saved) {
      storeConfiguration(queries, saved)
      void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
      void queries.invalidateQueries({ queryKey: ['pages'] })
      setReport(undefined)
      notify(t('config.file.imported'))
    },
    // Somebody else saved meanwhile: what the file changes is another difference then.
    onError(error, { file }) {
      if (isApiRefusal(error, 'stale')) check.mutate(new Blob([file]))
    },
  })
  const close = () => {
    setReport(undefined)
    put.reset()
  }
  const changes = report ? configChanges(report.now, report.config) : []
  const nothing = changes.length === 0 && !report?.pages.length
  return (
    <>
      <div className="row">
        <DownloadButton label={t('config.file.export')} download={download} />
        <Button leftSection={<lucide.Upload />} loading={check.isPending} onClick={() => input.current?.click()}>
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
            if (chosen) check.mutate(chosen)
          }}
        />
      </div>
      {check.error && <FileErrors error={check.error} />}
      {report && (
        <Dialog title={t('config.file.report')} wide onClose={close}>
          {put.error && <SaveFailure title={t('config.notSaved')} error={put.error} unplaced={problemsIn(put.error)} />}
          {nothing && <p>{t('config.file.same')}</p>}
          {changes.length > 0 && (
            <Changes
              changes={changes}
              configs={[report.now, report.config]}
              before={t('config.revisions.now')}
              after={t('config.revisions.after')}
            />
          )}
          <Titles lead={t('config.file.pages')} titles={report.pages} />
          <Titles lead={t('config.file.pagesLeft')} titles={report.left} />
          <Titles
            lead={t('config.file.hidden')}
            titles={report.hidden.map(
              ({ id, entries }) => `${nameOf(report.now, id)}: ${t('config.locales.pages', { count: entries })}`,
            )}
          />
          <Titles
            lead={t('config.file.hiddenLanguages')}
            titles={report.hiddenLanguages.map(
              ({ locale, pages }) => `${languageIn(locale)}: ${t('config.locales.pages', { count: pages })}`,
            )}
          />
          <DialogActions onClose={close}>
            {!nothing && (
              <Button variant="filled" loading={put.isPending || check.isPending} onClick={() => put.mutate(report)}>
                {t('config.file.put')}
              </Button>
            )}
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** A collection by its name, or else by its id. */
function nameOf(site: SiteParts, id: string): string {
  const collection = findCollection(site, id)
  return collection ? collectionName(collection, currentLocale()) : id
}

/** A list of pages that differ from the file. */
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

/** Lists each error in the file with its path. */
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
