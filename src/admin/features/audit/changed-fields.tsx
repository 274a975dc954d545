import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../contract/audit.ts'
import { fileNameFromUrl } from '../../../contract/file-urls.ts'
import { type AdminLocale, isLanguageTag, languageName } from '../../../contract/locales.ts'
import { isRight } from '../../../contract/rights.ts'
import { numberText, siteTimeText } from '../../components/dates.tsx'
import { type TextKey, type TFunction, useLocale, useText } from '../../i18n.ts'
import { blockName } from '../blocks/block-names.tsx'
import { Changes, changeLabel } from '../config/changed-value.tsx'
import { labelOf } from '../roles/right-names.tsx'
import styles from './changed-fields.module.css'
import { DifferenceLink } from './subject.tsx'

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
  const { parts } = row.after ?? {}
  if (Array.isArray(parts)) return parts.map((part) => changeLabel([String(part)], t)).join(', ')
  const changes = fields.map((field) => ({
    path: field.split('.'),
    before: row.before?.[field],
    after: row.after?.[field],
  }))
  return <Changes changes={changes} before={t('audit.before')} after={t('audit.after')} />
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
      {had && has && <ArrowRight size={15} className="turns" aria-hidden />}
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
