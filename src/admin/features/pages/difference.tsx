import { diffArrays, diffWords } from 'diff'
import type { ReactNode } from 'react'
import { deepEqual } from '../../../contract/deep-equal.ts'
import { fileNameFromUrl, publicFileIdsIn } from '../../../contract/file-urls.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { DraftText } from '../../../contract/pages.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLocale, useText } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { blockName } from '../blocks/block-names.tsx'
import { useSectionNames } from '../sections/sections.ts'
import styles from './history.module.css'
import { readBlock, useEntryFacts } from './page-text-view.tsx'

/** Longer comparisons would block the browser; both texts are then shown whole. */
const longestMs = 400

/** The difference between two texts of a page. */
export function Difference(props: {
  before: DraftText
  after: DraftText
  contentLocale: Locale
  collection?: string | null
}) {
  const { before, after, contentLocale, collection = null } = props
  const t = useText()
  const locale = useLocale()
  useSectionNames([...before.body, ...after.body])
  const { fields, blocks } = differencesOf(before, after, locale)
  const factsOf = useEntryFacts(collection)
  const names = [...new Set([...Object.keys(before.fields ?? {}), ...Object.keys(after.fields ?? {})])]
  const entryChanges = names
    .filter((name) => before.fields?.[name] !== after.fields?.[name])
    .map((name) => {
      const of = ({ fields = {} }: DraftText) => factsOf(fields[name] === undefined ? {} : { [name]: fields[name] })[0]
      return { name, was: of(before), is: of(after) }
    })
  if (fields.length + blocks.length + entryChanges.length === 0)
    return <p className="quiet flush">{t('pages.history.nothing')}</p>
  return (
    <ul className={styles.changes}>
      {fields.map((field) => (
        <li key={field}>
          <h3>{t(`pages.fields.${field}`)}</h3>
          {textOf(before, field) === textOf(after, field) ? (
            <span className="quiet">{t('pages.history.otherFile')}</span>
          ) : (
            <Words before={textOf(before, field)} after={textOf(after, field)} locale={contentLocale} />
          )}
        </li>
      ))}
      {entryChanges.map(({ name, was, is }) => (
        <li key={`fields.${name}`}>
          <h3>{(is ?? was)?.label}</h3>
          {was?.text === is?.text ? (
            <span className="quiet">{t('pages.history.formattingOnly')}</span>
          ) : (
            <Words before={was?.text ?? ''} after={is?.text ?? ''} locale={contentLocale} />
          )}
        </li>
      ))}
      {blocks.map((block) => (
        <li key={block.kind + block.key} data-kind={block.kind}>
          <h3>{t(`pages.history.block.${block.kind}`, { name: block.name })}</h3>
          <Fields block={block} locale={contentLocale} />
        </li>
      ))}
    </ul>
  )

  function textOf(text: DraftText, field: PageField): string {
    if (field === 'noindex') return t(text.noindex ? 'form.yes' : 'form.no')
    if (field === 'picture') return fileNameFromUrl(text.picture)
    return field === 'slug' ? `/${text.slug}` : text[field]
  }
}

function Fields({ block, locale }: { block: BlockChange; locale: Locale }) {
  if (block.fields.length === 0) return null
  return (
    <dl>
      {block.fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <FieldWords field={field} locale={locale} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldWords({ field, locale }: { field: FieldChange; locale: Locale }) {
  const t = useText()
  if (field.before === field.after) {
    return (
      <span className="quiet">{t(field.otherFile ? 'pages.history.otherFile' : 'pages.history.formattingOnly')}</span>
    )
  }
  return <Words before={field.before} after={field.after} locale={locale} />
}

/** A word-by-word difference, marked up for screen readers too. */
export function Words({ before, after, locale }: { before: string; after: string; locale: Locale }) {
  const t = useText()
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const parts = diffWords(before, after, { intlSegmenter, timeout: longestMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const marked = (label: string, value: string): ReactNode => (
    <>
      <span className="visually-hidden">{label} </span>
      {value}
    </>
  )
  return (
    <p className={styles.words} dir={useContentDirection(locale)} lang={locale}>
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index}-${value}`
        if (value === '') return null
        if (added) return <ins key={key}>{marked(t('pages.history.added'), value)}</ins>
        if (removed) return <del key={key}>{marked(t('pages.history.removed'), value)}</del>
        return <span key={key}>{value}</span>
      })}
    </p>
  )
}

export const pageFields = ['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'] as const
export type PageField = (typeof pageFields)[number]

/** A changed field. Equal values mean that only the formatting changed, or the file behind the same name. */
interface FieldChange {
  name: string
  label: string
  before: string
  after: string
  otherFile?: true
}

interface BlockChange {
  key: string
  kind: 'added' | 'removed' | 'moved' | 'changed'
  /** The name of the block's type. */
  name: string
  fields: FieldChange[]
}

interface Differences {
  fields: PageField[]
  blocks: BlockChange[]
}

/** Compares two texts of a page by field and by block. Blocks are matched by `id`. */
export function differencesOf(before: DraftText, after: DraftText, locale: Locale): Differences {
  return {
    fields: pageFields.filter((field) => before[field] !== after[field]),
    blocks: blockChanges(before.body as StoredBlock[], after.body as StoredBlock[], locale),
  }
}

function blockChanges(before: StoredBlock[], after: StoredBlock[], locale: Locale): BlockChange[] {
  const [was, is] = [keyed(before), keyed(after)]
  const changes: BlockChange[] = []
  const moved = movedKeys([...was.keys()], [...is.keys()])
  for (const [key, block] of is) {
    const old = was.get(key)
    const name = blockName(block.type, locale)
    if (!old) changes.push({ key, kind: 'added', name, fields: fieldChanges(undefined, block, locale) })
    else if (!deepEqual(old, block))
      changes.push({ key, kind: 'changed', name, fields: fieldChanges(old, block, locale) })
    else if (moved.has(key)) changes.push({ key, kind: 'moved', name, fields: [] })
  }
  for (const [key, block] of was) {
    if (is.has(key)) continue
    const fields = fieldChanges(block, undefined, locale)
    changes.push({ key, kind: 'removed', name: blockName(block.type, locale), fields })
  }
  return changes
}

function fieldChanges(before: StoredBlock | undefined, after: StoredBlock | undefined, locale: Locale): FieldChange[] {
  const withDefaults = before !== undefined && after !== undefined
  const read = (block: StoredBlock | undefined) =>
    new Map(block && readBlock(block, locale, { withDefaults }).map((field) => [field.name, field]))
  const [old, now] = [read(before), read(after)]
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((name) => ({
      name,
      label: (now.get(name) ?? old.get(name))?.label ?? name,
      before: old.get(name)?.text ?? '',
      after: now.get(name)?.text ?? '',
      was: before && fieldOf(before, name),
      is: after && fieldOf(after, name),
    }))
    .filter(({ was, is }) => !before || !after || !deepEqual(was, is))
    .map(({ was, is, ...change }) => ({ ...change, ...(!deepEqual(filesIn(was), filesIn(is)) && { otherFile: true }) }))
}

const filesIn = (value: unknown) => publicFileIdsIn(JSON.stringify(value ?? ''))

const fieldOf = (block: StoredBlock, name: string) => (block as unknown as Record<string, unknown>)[name]

/** The smallest set of blocks whose moves explain the new order. */
function movedKeys(before: string[], after: string[]): Set<string> {
  const common = (list: string[], other: string[]) => list.filter((key) => other.includes(key))
  const parts = diffArrays(common(before, after), common(after, before))
  return new Set(parts.filter(({ added }) => added).flatMap(({ value }) => value))
}

/** Blocks of older texts have no id and are matched by their index. */
function keyed(list: StoredBlock[]): Map<string, StoredBlock> {
  return new Map(list.map((block, index) => [block.id ?? `#${index}`, block]))
}
