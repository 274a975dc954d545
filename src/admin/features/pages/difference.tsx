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
import { readableFields, useReadableValues } from './page-text-view.tsx'

/** `diffWords` gives up after this; both texts are then shown whole. */
const diffTimeoutMs = 400

/** Lists what differs between two texts: fields of the page, values of an entry, and blocks. */
export function TextDiff(props: {
  before: DraftText
  after: DraftText
  contentLocale: Locale
  /** The id of the collection of an entry. */
  collection?: string | null
}) {
  const { before, after, contentLocale, collection = null } = props
  const t = useText()
  const uiLocale = useLocale()
  useSectionNames([...before.body, ...after.body])
  const { changedFields, changedBlocks } = compareTexts(before, after, uiLocale)
  const readableValues = useReadableValues(collection)
  const entryFieldIds = [...new Set([...Object.keys(before.fields ?? {}), ...Object.keys(after.fields ?? {})])]
  const readValue = ({ fields = {} }: DraftText, id: string) =>
    fields[id] === undefined ? undefined : readableValues({ [id]: fields[id] })[0]
  const changedValues = entryFieldIds
    .filter((id) => before.fields?.[id] !== after.fields?.[id])
    .map((id) => ({ id, valueBefore: readValue(before, id), valueAfter: readValue(after, id) }))
  if (changedFields.length + changedBlocks.length + changedValues.length === 0)
    return <p className="quiet flush">{t('pages.history.nothing')}</p>
  return (
    <ul className={styles.changes}>
      {changedFields.map((field) => (
        <li key={field}>
          <h3>{t(`pages.fields.${field}`)}</h3>
          {textOf(before, field) === textOf(after, field) ? (
            <span className="quiet">{t('pages.history.otherFile')}</span>
          ) : (
            <WordDiff before={textOf(before, field)} after={textOf(after, field)} contentLocale={contentLocale} />
          )}
        </li>
      ))}
      {changedValues.map(({ id, valueBefore, valueAfter }) => (
        <li key={`fields.${id}`}>
          <h3>{(valueAfter ?? valueBefore)?.label}</h3>
          {valueBefore?.text === valueAfter?.text ? (
            <span className="quiet">{t('pages.history.formattingOnly')}</span>
          ) : (
            <WordDiff before={valueBefore?.text ?? ''} after={valueAfter?.text ?? ''} contentLocale={contentLocale} />
          )}
        </li>
      ))}
      {changedBlocks.map((block) => (
        <li key={block.kind + block.key} data-kind={block.kind}>
          <h3>{t(`pages.history.block.${block.kind}`, { name: block.name })}</h3>
          <BlockFields block={block} contentLocale={contentLocale} />
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

function BlockFields({ block, contentLocale }: { block: BlockChange; contentLocale: Locale }) {
  if (block.fields.length === 0) return null
  return (
    <dl>
      {block.fields.map((field) => (
        <div key={field.name}>
          <dt>{field.label}</dt>
          <dd>
            <FieldDiff field={field} contentLocale={contentLocale} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldDiff({ field, contentLocale }: { field: FieldChange; contentLocale: Locale }) {
  const t = useText()
  if (field.before === field.after) {
    return (
      <span className="quiet">{t(field.otherFile ? 'pages.history.otherFile' : 'pages.history.formattingOnly')}</span>
    )
  }
  return <WordDiff before={field.before} after={field.after} contentLocale={contentLocale} />
}

/** A word-by-word difference, marked up for screen readers too. */
export function WordDiff(props: { before: string; after: string; contentLocale: Locale }) {
  const { before, after, contentLocale } = props
  const t = useText()
  const intlSegmenter = new Intl.Segmenter(contentLocale, { granularity: 'word' })
  const changes = diffWords(before, after, { intlSegmenter, timeout: diffTimeoutMs }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const withHiddenLabel = (label: string, value: string): ReactNode => (
    <>
      <span className="visually-hidden">{label} </span>
      {value}
    </>
  )
  return (
    <p className={styles.words} dir={useContentDirection(contentLocale)} lang={contentLocale}>
      {changes.map(({ value, added, removed }, index) => {
        const key = `${index}-${value}`
        if (value === '') return null
        if (added) return <ins key={key}>{withHiddenLabel(t('pages.history.added'), value)}</ins>
        if (removed) return <del key={key}>{withHiddenLabel(t('pages.history.removed'), value)}</del>
        return <span key={key}>{value}</span>
      })}
    </p>
  )
}

/** The fields of a page that are compared, in the order in which changes are listed. */
export const pageFields = ['title', 'slug', 'seoTitle', 'description', 'picture', 'noindex'] as const
export type PageField = (typeof pageFields)[number]

/** A changed field of a block, as text. Equal texts: only the formatting changed, or the file behind the same name. */
interface FieldChange {
  name: string
  label: string
  before: string
  after: string
  otherFile?: true
}

interface BlockChange {
  /** The id of the block, or `#` and its index. */
  key: string
  kind: 'added' | 'removed' | 'moved' | 'changed'
  /** The name of the block's type. */
  name: string
  fields: FieldChange[]
}

interface TextChanges {
  changedFields: PageField[]
  changedBlocks: BlockChange[]
}

/** Compares two texts by field and by block, but not the values of an entry. @param uiLocale of names and labels */
export function compareTexts(before: DraftText, after: DraftText, uiLocale: Locale): TextChanges {
  return {
    changedFields: pageFields.filter((field) => before[field] !== after[field]),
    changedBlocks: diffBlocks(before.body as StoredBlock[], after.body as StoredBlock[], uiLocale),
  }
}

/** A block that was both moved and changed counts as changed. Removed blocks come last. */
function diffBlocks(before: StoredBlock[], after: StoredBlock[], uiLocale: Locale): BlockChange[] {
  const [blocksBefore, blocksAfter] = [byKey(before), byKey(after)]
  const changes: BlockChange[] = []
  const moved = movedKeys([...blocksBefore.keys()], [...blocksAfter.keys()])
  for (const [key, block] of blocksAfter) {
    const blockBefore = blocksBefore.get(key)
    const name = blockName(block.type, uiLocale)
    if (!blockBefore) changes.push({ key, kind: 'added', name, fields: diffFields(undefined, block, uiLocale) })
    else if (!deepEqual(blockBefore, block))
      changes.push({ key, kind: 'changed', name, fields: diffFields(blockBefore, block, uiLocale) })
    else if (moved.has(key)) changes.push({ key, kind: 'moved', name, fields: [] })
  }
  for (const [key, block] of blocksBefore) {
    if (blocksAfter.has(key)) continue
    const fields = diffFields(block, undefined, uiLocale)
    changes.push({ key, kind: 'removed', name: blockName(block.type, uiLocale), fields })
  }
  return changes
}

/** The changed fields of a block; all non-default fields of one that was added or removed. */
function diffFields(before: StoredBlock | undefined, after: StoredBlock | undefined, uiLocale: Locale): FieldChange[] {
  const withDefaults = before !== undefined && after !== undefined
  const fieldsByName = (block: StoredBlock | undefined) =>
    new Map(block && readableFields(block, uiLocale, { withDefaults }).map((field) => [field.name, field]))
  const [fieldsBefore, fieldsAfter] = [fieldsByName(before), fieldsByName(after)]
  return [...new Set([...fieldsAfter.keys(), ...fieldsBefore.keys()])].flatMap((name): FieldChange[] => {
    const [fieldBefore, fieldAfter] = [fieldsBefore.get(name), fieldsAfter.get(name)]
    const [valueBefore, valueAfter] = [before && fieldValue(before, name), after && fieldValue(after, name)]
    if (withDefaults && deepEqual(valueBefore, valueAfter)) return []
    const label = (fieldAfter ?? fieldBefore)?.label ?? name
    const change = { name, label, before: fieldBefore?.text ?? '', after: fieldAfter?.text ?? '' }
    return [deepEqual(filesIn(valueBefore), filesIn(valueAfter)) ? change : { ...change, otherFile: true }]
  })
}

const filesIn = (value: unknown) => publicFileIdsIn(JSON.stringify(value ?? ''))

const fieldValue = (block: StoredBlock, name: string) => (block as unknown as Record<string, unknown>)[name]

/** The smallest set of blocks whose moves explain the new order. */
function movedKeys(before: string[], after: string[]): Set<string> {
  const keysBefore = before.filter((key) => after.includes(key))
  const keysAfter = after.filter((key) => before.includes(key))
  // In a difference of two orders of the same keys, a moved key is both removed and added.
  return new Set(diffArrays(keysBefore, keysAfter).flatMap(({ added, value }) => (added ? value : [])))
}

/** Blocks by their id; those of older texts have none, and are matched by their index. */
function byKey(blocks: StoredBlock[]): Map<string, StoredBlock> {
  return new Map(blocks.map((block, index) => [block.id ?? `#${index}`, block]))
}
