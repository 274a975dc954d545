import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ArrowRight, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../contract/audit.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type AdminLocale, isLanguageTag, languageName } from '../../../contract/locales.ts'
import { isRight, roleName } from '../../../contract/rights.ts'
import { TextLink } from '../../components/buttons.tsx'
import { ChoiceGroup } from '../../components/choices.tsx'
import { type Column, QueryList } from '../../components/data-list.tsx'
import { Moment, numberText, siteTimeText } from '../../components/dates.tsx'
import { ListTools, NothingFound, searchField, useSearchChange } from '../../components/list-tools.tsx'
import { Page } from '../../components/page.tsx'
import { Empty } from '../../components/states.tsx'
import { type TextKey, type TFunction, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { ChangesTable, configPathLabel, leadsToUnnamedItem } from '../config/changed-value.tsx'
import { configQuery, configReadRights, revisionQuery } from '../config/config.ts'
import { rightLabelKey } from '../roles/right-names.tsx'
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

  const { page, search: searchText, ...filters } = search
  const activeFilters = Object.values(filters).filter((value) => value !== undefined).length
  return (
    <QueryList
      query={query}
      tools={<AuditTools {...{ search, change, activeFilters, clear }} rows={query.data?.data ?? []} />}
      empty={
        activeFilters > 0 || searchText ? (
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
  activeFilters: number
  clear: () => void
  rows: AuditRow[]
}) {
  const { search, change, activeFilters, clear, rows } = props
  const t = useText()
  const { actorId } = search
  const actorName = rows.find(({ actor }) => actor.id === actorId)?.actor.name
  return (
    <ListTools
      search={searchField(t('audit.search'), search, change)}
      filtered={activeFilters}
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
                // No user has the id 0.
                { value: 0, label: t('audit.everyone') },
                { value: actorId, label: actorName ?? t('audit.oneUser', { id: actorId }) },
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

/** The user who did the action, as a link that filters the log by that user. */
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

/** Fields that are not listed: `revision` is only for a link, and `sort` is the order of an export. */
const hiddenFields = new Set(['revision', 'sort'])

/** Whether a field has names of roles: `lockedFor` a list of them. */
const isRoleName = ({ subject }: AuditRow, field: string) =>
  field === 'role' || field === 'lockedFor' || (subject.type === 'role' && field === 'name')

/** Fields with internal values, such as checksums, of which only the fact of a change is shown. */
const internalFields = new Set(['content', 'crop', 'focal'])

/** The changed fields of an action, each with the old and the new value. */
export function ChangedFields({ row }: { row: AuditRow }) {
  const t = useText()
  const locale = useLocale()
  const { before, after } = row
  const allFields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const fields = allFields.filter((field) => {
    if (hiddenFields.has(field)) return false
    if (internalFields.has(field)) return before && after
    return !isEmpty(before?.[field]) || !isEmpty(after?.[field])
  })
  if (row.subject.type === 'configuration' && fields.length > 0)
    return <ConfigurationChanges row={row} fields={fields} />
  if (fields.length === 0) return <span className="quiet">{t('audit.nothing')}</span>
  return (
    <>
      <dl className={styles.changed}>
        {fields.map((field) => (
          <div key={field}>
            <dt>{fieldName(field, t)}</dt>
            <dd>
              {internalFields.has(field) ? (
                t('audit.values.body.changed')
              ) : (
                <OldAndNewValue
                  before={before?.[field]}
                  after={after?.[field]}
                  textOf={(value) =>
                    isRoleName(row, field) ? roleName({ name: String(value) }, t) : valueText(value, field, t, locale)
                  }
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

/** The changes of the configuration, by path. The log of very many changes has only the names of the changed parts. */
function ConfigurationChanges({ row, fields }: { row: AuditRow; fields: string[] }) {
  const t = useText()
  const maySee = useRight(...configReadRights)
  const { data: current } = useQuery({ ...configQuery, enabled: maySee })
  const changes = fields.map((field) => ({
    path: field.split('.'),
    before: row.before?.[field],
    after: row.after?.[field],
  }))
  // The name of an item that no longer exists is in the revision that this action made, or in the previous one.
  const needsRevision = current !== undefined && changes.some(({ path }) => leadsToUnnamedItem(path, [current.config]))
  const { data: revision } = useQuery({ ...revisionQuery(Number(row.subject.id)), enabled: needsRevision })
  const { parts } = row.after ?? {}
  if (Array.isArray(parts)) return parts.map((part) => configPathLabel([String(part)], t)).join(', ')
  const configs = [current?.config, revision?.config, revision?.before].filter((config) => config != null)
  return <ChangesTable changes={changes} configs={configs} before={t('audit.before')} after={t('audit.after')} />
}

interface ChangedValueProps {
  before: unknown
  after: unknown
  textOf: (value: unknown) => string
}

function OldAndNewValue({ before, after, textOf }: ChangedValueProps): ReactNode {
  const t = useText()
  if (Array.isArray(before) || Array.isArray(after)) return <RemovedAndAdded {...{ before, after, textOf }} />
  const hasOld = !isEmpty(before)
  const hasNew = !isEmpty(after)
  return (
    <>
      {hasOld && (
        <del>
          <span className="visually-hidden">{t('audit.before')} </span>
          <bdi>{textOf(before)}</bdi>
        </del>
      )}
      {hasOld && hasNew && <ArrowRight size={15} className="flip-in-rtl" />}
      {hasNew && (
        <ins>
          <span className="visually-hidden">{t('audit.after')} </span>
          <bdi>{textOf(after)}</bdi>
        </ins>
      )}
      {hasOld && !hasNew && after === null && <span className="quiet">{t('form.nothing')}</span>}
    </>
  )
}

/** The removed and added items of a list. */
function RemovedAndAdded({ before, after, textOf }: ChangedValueProps) {
  const oldItems: unknown[] = Array.isArray(before) ? before : []
  const newItems: unknown[] = Array.isArray(after) ? after : []
  return (
    <>
      {oldItems
        .filter((item) => !newItems.includes(item))
        .map((item) => (
          <del key={String(item)}>
            <bdi>{textOf(item)}</bdi>
          </del>
        ))}
      {newItems
        .filter((item) => !oldItems.includes(item))
        .map((item) => (
          <ins key={String(item)}>
            <bdi>{textOf(item)}</bdi>
          </ins>
        ))}
    </>
  )
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The name of a field; without a translation that of the API. */
function fieldName(field: string, t: TFunction): string {
  const key = `audit.fields.${field}`
  const name = t(key as TextKey)
  return name === key ? field : name
}

/** The text of a value, which depends on its field; without a translation the value as it is. */
function valueText(value: unknown, field: string, t: TFunction, locale: AdminLocale): string {
  if (typeof value === 'boolean') return t(value ? 'form.yes' : 'form.no')
  if (typeof value === 'number') return numberText(value, locale)
  if (typeof value !== 'string') return JSON.stringify(value)
  if ((field === 'locale' || field === 'language') && isLanguageTag(value)) return languageName(value)
  if (field === 'rights' && isRight(value)) return t(rightLabelKey(value))
  if (field === 'publishAt' || field === 'unpublishAt') return siteTimeText(new Date(value), locale, t)
  if (field === 'picture') return fileNameFromUrl(value)
  if (field === 'lockedBlock') return blockName(value, locale)
  const key = `audit.values.${field}.${value}`
  // Only a value without dots and spaces can be part of a key. i18next returns the key of a text that does not exist.
  const text = /^\w+$/.test(value) ? t(key as TextKey) : key
  return text === key ? value : text
}
