import { NativeSelect, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import { type ComponentType, createContext, memo, type ReactNode, useContext, useState } from 'react'
import { choiceLabel, type Field, labelOf, newBlock } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import { isTextOrImage } from '../../../blocks/structure-lock.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { altIn } from '../../../contract/images.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { AddButton } from '../../components/buttons.tsx'
import { useLatest } from '../../components/latest.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useLocale, useText, withTexts } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { hidesImage, withoutMediaChoice } from './block-images.ts'
import { InLockedBlockContext } from './block-locks.ts'
import styles from './blocks.module.css'
import { CollapsedFields } from './collapsed-fields.tsx'
import { EntryList, TextList } from './entry-list.tsx'
import { FileField, ImageField } from './file-fields.tsx'
import { IconField } from './icon-field.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { StyleFields, stylePath } from './style-fields.tsx'
import { UrlField } from './url-field.tsx'

const placeholder = <Skeleton height="9rem" />
const RichTextField = lazyPart(async () => (await import('./rich-text-field.tsx')).default, placeholder)
const AddBlock = lazyPart(async () => (await import('./add-block.tsx')).AddBlock)
const CollectionChoice = lazyPart(async () => (await import('./config-choice.tsx')).CollectionChoice)
const FormChoice = lazyPart(async () => (await import('./config-choice.tsx')).FormChoice)
const SectionField = lazyPart(async () => (await import('../sections/section-field.tsx')).SectionField)
const importMenuItems = withTexts(['config'], () => import('./menu-items.tsx'))
const MenuItems = lazyPart(async () => (await importMenuItems()).default, placeholder)

type Values = Record<string, unknown>

type ChangeValues = (update: (values: Values) => Values) => void

interface FieldsProps {
  type: BlockType
  fields: readonly Field[]
  values: Values
  /** Calls `update` synchronously with the current values: an upload may end after other values were changed. */
  onChange: ChangeValues
  problems: Problems
  locale: Locale
}

/** The form fields of a block, or of an object or an entry in it. */
export function FieldsOfBlock({ type, fields, values, onChange, problems, locale }: FieldsProps) {
  const t = useText()
  const locked = useContext(InLockedBlockContext)
  const latest = useLatest({ fields, onChange, locale })
  const [changes] = useState(
    (): FieldChanges => ({
      update: (name, update) =>
        latest.current.onChange((values) => {
          const { [name]: previous, ...others } = values
          const value = update(previous)
          // An empty optional field is omitted, so that the schema's default applies.
          return value === undefined ? others : { ...values, [name]: value }
        }),
      setImage(name, file) {
        const { fields, onChange, locale } = latest.current
        onChange((values) => ({
          ...withoutMediaChoice(values),
          [name]: file.url,
          ...altTextFrom(file, fields, values, locale),
        }))
      },
    }),
  )
  const renderField = (field: Field) => (
    <MemoField
      key={field.name}
      type={type}
      field={field}
      value={values[field.name]}
      changes={changes}
      // To change a hidden image is to show it, which changes the block's choice of media too.
      isReadOnly={locked && (!isTextOrImage(field) || (field.kind === 'image' && hidesImage(values)))}
      problem={problems[field.name]}
      problems={problemsUnder(problems, field.name)}
      locale={locale}
    />
  )
  const classFields = fields.filter(isClassField)
  return (
    <>
      {fields.filter((field) => !isClassField(field)).map(renderField)}
      {classFields.length > 0 && (
        <CollapsedFields
          className={styles.advanced}
          label={t('blocks.advanced')}
          hasProblem={classFields.some(({ name }) => problems[name])}
        >
          {classFields.map(renderField)}
        </CollapsedFields>
      )}
    </>
  )
}

/** CSS classes are for experts, so the field is collapsed. */
const isClassField = ({ kind }: Field) => kind === 'className'

const isAltText = ({ kind, name }: Field) => kind === 'text' && name === 'alt'

/** The file's own alternative text as a value of `alt`, if that field exists and is empty. */
function altTextFrom(file: StoredFile, fields: readonly Field[], values: Values, locale: Locale) {
  const alt = altIn(file.alt, locale)
  return fields.some(isAltText) && alt && !values.alt ? { alt } : {}
}

interface FieldCallbacks {
  onChange: (value: unknown) => void
  /** Calls `update` synchronously with the current value. */
  onUpdate: (update: (current: unknown) => unknown) => void
  onImage: (file: StoredFile) => void
}

interface FieldProps extends FieldCallbacks {
  type: BlockType
  field: Field
  value: unknown
  problem: string | undefined
  problems: Problems
  locale: Locale
}

/** Changes the value of a field by its name; the same object while somebody types. */
interface FieldChanges {
  update: (name: string, update: (current: unknown) => unknown) => void
  setImage: (name: string, file: StoredFile) => void
}

/** One field, disabled if it is read-only. Memoised, so that a keystroke renders only the field that changes. */
const MemoField = memo(
  (props: Omit<FieldProps, keyof FieldCallbacks> & { changes: FieldChanges; isReadOnly: boolean }): ReactNode => {
    const { isReadOnly, changes, ...fieldProps } = props
    const { field } = fieldProps
    const { name, kind } = field
    const callbacks: FieldCallbacks = {
      onChange: (value) => changes.update(name, () => value),
      onUpdate: (update) => changes.update(name, update),
      onImage: (file) => changes.setImage(name, file),
    }
    // Each field in it is read-only by itself, or not.
    const hasFields = (kind === 'object' && field.path !== stylePath) || kind === 'objects' || kind === 'blocks'
    if (!isReadOnly || (hasFields && !isMenu(field))) return <FieldInput {...fieldProps} {...callbacks} />
    return (
      <fieldset className={styles.read} disabled>
        <FieldInput {...fieldProps} {...callbacks} />
      </fieldset>
    )
  },
)

/** Whether a list of entries is a menu: its entries have lists of entries of their own. */
const isMenu = (field: Field) => field.kind === 'objects' && field.fields.some(({ kind }) => kind === 'children')

function FieldInput(props: FieldProps): ReactNode {
  const { type, field, value, onChange, onUpdate, onImage, problem, problems, locale } = props
  const t = useText()
  const uiLocale = useLocale()
  const BlockList = useContext(ColumnBlockListContext)
  const label = labelOf(type, field, uiLocale)
  const text = typeof value === 'string' ? value : ''
  const changeText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const changeOptionalText = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value || (field.optional ? undefined : ''))
  const dir = useContentDirection(locale)
  const textProps = { 'data-field': field.name, label, error: problem, lang: locale, dir } as const
  const codeProps = { 'data-field': field.name, label, error: problem, dir: 'ltr', spellCheck: false } as const
  const valueProps = { label, value: text, onChange, problem, locale }
  const listProps = { label, problem, problems, locale }
  const entriesProps = {
    value: asList<Values>(value),
    onChange: (update: (entries: Values[]) => Values[]) => onUpdate((current) => update(asList(current))),
  }
  const renderFields = (fields: readonly Field[], values: Values, onChange: ChangeValues, problems: Problems) => (
    <FieldsOfBlock {...{ type, fields, values, onChange, problems, locale }} />
  )

  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...textProps}
          description={isAltText(field) && t('blocks.image.altHelp')}
          value={text}
          onChange={changeText}
        />
      )
    case 'textarea':
      return <Textarea {...textProps} size="md" autosize minRows={2} maxRows={12} value={text} onChange={changeText} />
    case 'richText':
      return <RichTextField {...valueProps} />
    case 'url':
      return <UrlField {...valueProps} onChange={(url) => onChange(url || (field.optional ? undefined : ''))} />
    case 'className':
      return <TextInput {...codeProps} description={t('blocks.classHelp')} value={text} onChange={changeText} />
    case 'anchor':
      return <TextInput {...codeProps} description={t('blocks.anchorHelp')} value={text} onChange={changeText} />
    case 'email':
      return <TextInput {...codeProps} type="email" value={text} onChange={changeOptionalText} />
    case 'number':
      return (
        <TextInput
          {...codeProps}
          inputMode="numeric"
          value={String(value ?? '')}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        />
      )
    case 'yesNo':
      return (
        <Switch
          label={label}
          error={problem}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <NativeSelect
          label={label}
          error={problem}
          value={text}
          onChange={changeOptionalText}
          data={[
            // `showIf` has an option for its default already.
            ...(field.optional && field.name !== 'showIf'
              ? [{ value: '', label: choiceLabel(type, field, '', uiLocale) || t('blocks.usual') }]
              : []),
            ...field.options.map((option) => ({ value: option, label: choiceLabel(type, field, option, uiLocale) })),
          ]}
        />
      )
    case 'icon':
      return <IconField label={label} value={text} optional={field.optional} onChange={onChange} problem={problem} />
    case 'image':
    case 'imageOrLogo':
      return (
        <ImageField
          label={label}
          value={text}
          optional={field.optional}
          logo={field.kind === 'imageOrLogo'}
          onChange={onChange}
          onChoose={onImage}
          problem={problem}
        />
      )
    case 'section':
      return <SectionField value={text} problem={problem} locale={locale} />
    case 'form':
      return <FormChoice label={label} value={text} onChange={onChange} problem={problem} />
    case 'collection':
      return <CollectionChoice label={label} value={text} onChange={onChange} problem={problem} />
    case 'film':
    case 'captions':
    case 'video':
    case 'file':
      return <FileField {...valueProps} kind={field.kind} optional={field.optional} />
    case 'object':
      if (field.path === stylePath) {
        return (
          <StyleFields
            type={type}
            field={field}
            value={(value ?? {}) as Values}
            onChange={onChange}
            problems={problems}
          />
        )
      }
      return (
        <fieldset className={styles.group}>
          <legend>{label}</legend>
          {renderFields(
            field.fields,
            (value ?? {}) as Values,
            (update) => onUpdate((current) => update((current ?? {}) as Values)),
            problems,
          )}
        </fieldset>
      )
    case 'texts':
      return <TextList {...listProps} value={asList(value)} onChange={onChange} maxItems={field.maxItems} />
    // `MenuItems` renders the submenus.
    case 'children':
      return null
    case 'objects':
      if (isMenu(field)) {
        return (
          <MenuItems field={field} {...listProps} {...entriesProps}>
            {renderFields}
          </MenuItems>
        )
      }
      return (
        <EntryList type={type} field={field} {...listProps} {...entriesProps}>
          {(entry, change, problems) => renderFields(field.fields, entry, change, problems)}
        </EntryList>
      )
    case 'blocks':
      if (!BlockList && asList(value).length > 0) return <p className="quiet">{t('blocks.innerElsewhere')}</p>
      if (!BlockList) {
        return (
          <EmptyColumn
            label={label}
            types={field.types}
            onChoose={(type) => onUpdate((current) => [...asList(current), newBlock(type, locale)])}
          />
        )
      }
      return (
        <BlockList
          value={asList(value)}
          onChange={(update) => onUpdate((current) => update(asList(current)))}
          locale={locale}
          problems={problems}
          types={field.types}
          maxBlocks={field.maxItems}
          label={label}
        />
      )
  }
}

/** The form of a column on the canvas that has no block to click yet. */
function EmptyColumn(props: { label: string; types: readonly BlockType[]; onChoose: (type: BlockType) => void }) {
  const { label, types, onChoose } = props
  const t = useText()
  const locked = useContext(InLockedBlockContext)
  const [isAdding, setIsAdding] = useState(false)
  if (locked) return null
  return (
    <>
      <AddButton aria-label={`${label}: ${t('blocks.add')}`} onClick={() => setIsAdding(true)}>
        {t('blocks.add')}
      </AddButton>
      {isAdding && <AddBlock types={types} onChoose={onChoose} onClose={() => setIsAdding(false)} />}
    </>
  )
}

const asList = <Item,>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** The component that edits the blocks in a column, set by `BlockList`; undefined on the canvas. */
export const ColumnBlockListContext = createContext<
  | ComponentType<{
      value: readonly StoredBlock[]
      onChange: (update: (value: StoredBlock[]) => StoredBlock[]) => void
      locale: Locale
      problems: Problems
      types: readonly BlockType[]
      maxBlocks: number
      label: string
    }>
  | undefined
>(undefined)
