import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowRight, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../contract/audit.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type AdminLocale, isLanguageTag, languageName } from '../../../contract/locales.ts'
import { isRight } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment, numberText, siteTimeText } from '../../components/dates.tsx'
import { ListTools, NothingFound, searchField, useSearchChange } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { type TextKey, type TFunction, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { Changes, changeLabel, isUnnamed } from '../config/changed-value.tsx'
import { configQuery, configReadRights, revisionQuery } from '../config/config.ts'
import { labelOf } from '../roles/right-names.tsx'
import { useRight } from '../sign-in/me.ts'
import { type AuditSearch, areas, auditQuery } from './audit.ts'
import styles from './changed-fields.module.css'
import { AuditSubject, DifferenceLink } from './subject.tsx'

export function AuditPage() {
  const t = useText()
  return (
    <Page title={t('audit.title')} lead={t('audit.lead')} allowed={useRight('audit.read')}>
      <AuditLog />
    </Page>
  )
}

function AuditLog() {
  const t = useText()
  const search = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate({ from: '/admin/audit' })
  const query = useQuery(auditQuery(search))
  const columns = useColumns()
  const change = useSearchChange<AuditSearch>('/admin/audit')
  const clear = () => void navigate({ search: {}, replace: true })

  const { page, search: words, ...filters } = search
  const filtered = Object.values(filters).filter((value) => value !== undefined).length
  return (
    <QueryList
      query={query}
      tools={<AuditTools {...{ search, change, filtered, clear }} rows={query.data?.data ?? []} />}
      empty={
        filtered > 0 || words ? (
          <NothingFound title={t('audit.none')} text={t('audit.noneText')} clear={clear} />
        ) : (
          <Empty icon={ScrollText} title={t('audit.empty')} text={t('audit.emptyText')} />
        )
      }
      caption={t('audit.title')}
      columns={columns}
      nameOf={(row) => row.label}
    />
  )
}

function AuditTools(props: {
  search: AuditSearch
  change: (changes: Partial<AuditSearch>) => void
  filtered: number
  clear: () => void
  rows: AuditRow[]
}) {
  const { search, change, filtered, clear, rows } = props
  const t = useText()
  const { actorId } = search
  return (
    <ListTools
      search={searchField(t('audit.search'), search, change)}
      filtered={filtered}
      onClear={clear}
      filters={
        <>
          <ChoiceGroup
            legend={t('audit.area')}
            options={[
              { value: 'all', label: t('audit.areas.all') },
              ...areas.map((area) => ({ value: area, label: t(`audit.areas.${area}`) })),
            ]}
            chosen={[search.area ?? 'all']}
            onChoose={([area]) => change({ area: area === 'all' ? undefined : (area as AuditSearch['area']) })}
          />
          {actorId !== undefined && (
            <ChoiceGroup
              legend={t('audit.who')}
              options={[
                { value: 0, label: t('audit.everyone') },
                {
                  value: actorId,
                  label:
                    rows.find(({ actor }) => actor.id === actorId)?.actor.name ?? t('audit.oneUser', { id: actorId }),
                },
              ]}
              chosen={[actorId]}
              onChoose={([id]) => change({ actorId: id || undefined })}
            />
          )}
          <TextInput
            type="date"
            label={t('audit.from')}
            value={search.from ?? ''}
            max={search.until}
            onChange={(event) => change({ from: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            label={t('audit.until')}
            value={search.until ?? ''}
            min={search.from}
            onChange={(event) => change({ until: event.currentTarget.value || undefined })}
          />
        </>
      }
    />
  )
}

function useColumns(): Column<AuditRow>[] {
  const t = useText()
  return [
    {
      label: t('audit.what'),
      cell: (row) => (
        <>
          <strong>{row.label}</strong>
          <div>
            <AuditSubject row={row} />
          </div>
        </>
      ),
    },
    { label: t('audit.change'), wide: true, cell: (row) => <ChangedFields row={row} /> },
    { label: t('audit.who'), cell: (row) => <Actor row={row} /> },
    { label: t('audit.when'), cell: (row) => <Moment at={row.at} /> },
  ]
}

/** The user who did it, as a link that filters the log by that user. */
function Actor({ row }: { row: AuditRow }) {
  const t = useText()
  const { id, name } = row.actor
  if (id === null) return <bdi>{name}</bdi>
  return (
    <TextLink
      to="/admin/audit"
      search={(before) => ({ ...before, page: undefined, actorId: id })}
      title={t('audit.onlyBy', { name })}
    >
      <bdi>{name}</bdi>
    </TextLink>
  )
}

/** Not shown: `revision` is only for a link, and `sort` is the order of an export. */
const hidden = new Set(['revision', 'sort'])

/** Internal values such as checksums: the log says that they changed, not the values. */
const internal = new Set(['content', 'crop', 'focal'])

/** Each changed field with its old and new value. */
export function ChangedFields({ row }: { row: AuditRow }) {
  const t = useText()
  const locale = useLocale()
  const { before, after } = row
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (field) =>
      !hidden.has(field) &&
      (internal.has(field) ? before && after : !isEmpty(before?.[field]) || !isEmpty(after?.[field])),
  )
  if (row.subject.type === 'configuration' && fields.length > 0)
    return <ConfigurationChanged row={row} fields={fields} />
  if (fields.length === 0) return <span className="quiet">{t('audit.nothing')}</span>
  return (
    <>
      <dl className={styles.changed}>
        {fields.map((field) => (
          <div key={field}>
            <dt>{fieldName(field, t)}</dt>
            <dd>
              {internal.has(field) ? (
                t('audit.values.body.changed')
              ) : (
                <FromTo
                  field={field}
                  before={before?.[field]}
                  after={after?.[field]}
                  shown={(value) => valueText(value, field, t, locale)}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <DifferenceLink row={row} />
    </>
  )
}

/** Changes of the configuration by path; for very many changes only the parts are named. */
function ConfigurationChanged({ row, fields }: { row: AuditRow; fields: string[] }) {
  const t = useText()
  const maySee = useRight(...configReadRights)
  const { data: now } = useQuery({ ...configQuery, enabled: maySee })
  const changes = fields.map((field) => ({
    path: field.split('.'),
    before: row.before?.[field],
    after: row.after?.[field],
  }))
  // An item that is gone has its name in the revision that this change made, or in the one before it.
  const isGone = now !== undefined && changes.some(({ path }) => isUnnamed(path, [now.config]))
  const { data: then } = useQuery({ ...revisionQuery(Number(row.subject.id)), enabled: isGone })
  const { parts } = row.after ?? {}
  if (Array.isArray(parts)) return parts.map((part) => changeLabel([String(part)], t)).join(', ')
  const configs = [now?.config, then?.config, then?.before].filter((config) => config != null)
  return <Changes changes={changes} configs={configs} before={t('audit.before')} after={t('audit.after')} />
}

interface Values {
  field: string
  before: unknown
  after: unknown
  shown: (value: unknown) => string
}

function FromTo({ before, after, shown }: Values): ReactNode {
  const t = useText()
  if (Array.isArray(before) || Array.isArray(after)) return <RemovedAndAdded {...{ before, after, shown }} />
  const [had, has] = [isEmpty(before), isEmpty(after)].map((empty) => !empty)
  return (
    <>
      {had && (
        <del>
          <span className="visually-hidden">{t('audit.before')} </span>
          <bdi>{shown(before)}</bdi>
        </del>
      )}
      {had && has && <ArrowRight size={15} className="flip-in-rtl" />}
      {has && (
        <ins>
          <span className="visually-hidden">{t('audit.after')} </span>
          <bdi>{shown(after)}</bdi>
        </ins>
      )}
      {had && !has && after === null && <span className="quiet">{t('form.nothing')}</span>}
    </>
  )
}

/** The removed and added items of a list. */
function RemovedAndAdded({ before, after, shown }: Omit<Values, 'field'>) {
  const [old, now] = [before, after].map((value) => (Array.isArray(value) ? value : [])) as [unknown[], unknown[]]
  return (
    <>
      {old
        .filter((one) => !now.includes(one))
        .map((one) => (
          <del key={String(one)}>
            <bdi>{shown(one)}</bdi>
          </del>
        ))}
      {now
        .filter((one) => !old.includes(one))
        .map((one) => (
          <ins key={String(one)}>
            <bdi>{shown(one)}</bdi>
          </ins>
        ))}
    </>
  )
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A field without a translation is shown by its API name. */
function fieldName(field: string, t: TFunction): string {
  const key = `audit.fields.${field}`
  const name = t(key as TextKey)
  return name === key ? field : name
}

function valueText(value: unknown, field: string, t: TFunction, locale: AdminLocale): string {
  if (typeof value === 'boolean') return t(value ? 'form.yes' : 'form.no')
  if (typeof value === 'number') return numberText(value, locale)
  if (typeof value !== 'string') return JSON.stringify(value)
  if ((field === 'locale' || field === 'language') && isLanguageTag(value)) return languageName(value)
  if (field === 'rights' && isRight(value)) return t(labelOf(value))
  if (field === 'publishAt' || field === 'unpublishAt') return siteTimeText(new Date(value), locale, t)
  if (field === 'picture') return fileNameFromUrl(value)
  if (field === 'lockedBlock') return blockName(value, locale)
  const key = `audit.values.${field}.${value}`
  const words = /^\w+$/.test(value) ? t(key as TextKey) : key
  return words === key ? value : words
}
