import { NativeSelect, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import { type ComponentType, createContext, memo, type ReactNode, useContext, useState } from 'react'
import { choiceLabel, type Field, labelOf } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import { isTextOrImage } from '../../../blocks/structure-lock.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { altIn } from '../../../contract/images.ts'
import type { Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { useLatest } from '../../components/latest.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useLocale, useText, withTexts } from '../../i18n.ts'
import { useContentDirection } from '../../site-languages.ts'
import { hidesImage, withoutMediaChoice } from './block-images.ts'
import { InLockedBlock } from './block-locks.ts'
import styles from './blocks.module.css'
import { EntryList, TextList } from './entry-list.tsx'
import { FileField, ImageField } from './file-fields.tsx'
import { IconField } from './icon-field.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { StyleFields, stylePath } from './style-fields.tsx'
import { UrlField } from './url-field.tsx'

const waiting = <Skeleton height="9rem" />
const RichTextField = lazyPart(async () => (await import('./rich-text-field.tsx')).default, waiting)
const CollectionChoice = lazyPart(async () => (await import('./config-choice.tsx')).CollectionChoice)
const FormChoice = lazyPart(async () => (await import('./config-choice.tsx')).FormChoice)
const SectionField = lazyPart(async () => (await import('../sections/section-field.tsx')).SectionField)
const importMenuItems = withTexts(['config'], () => import('./menu-items.tsx'))
const MenuItems = lazyPart(async () => (await importMenuItems()).default, waiting)

type Values = Record<string, unknown>

interface Group {
  type: BlockType
  fields: readonly Field[]
  values: Values
  /** Calls the update at once with the values as they are then: an upload ends when other things have changed. */
  onChange: (update: (values: Values) => Values) => void
  problems: Problems
  locale: Locale
}

/** A list of fields. */
export function FieldsOfBlock({ type, fields, values, onChange, problems, locale }: Group) {
  const t = useText()
  const locked = useContext(InLockedBlock)
  const latest = useLatest({ fields, onChange, locale })
  const [changes] = useState(
    (): Changes => ({
      update: (name, update) =>
        latest.current.onChange((values) => {
          const { [name]: before, ...others } = values
          const value = update(before)
          // An empty optional field is omitted, so that the schema's default applies.
          return value === undefined ? others : { ...values, [name]: value }
        }),
      setImage(name, file) {
        const { fields, onChange, locale } = latest.current
        onChange((values) => ({
          ...withoutMediaChoice(values),
          [name]: file.url,
          ...describedBy(file, fields, values, locale),
        }))
      },
    }),
  )
  const one = (field: Field) => (
    <OneField
      key={field.name}
      type={type}
      field={field}
      value={values[field.name]}
      changes={changes}
      // Showing the image would change the style of the block too.
      isRead={locked && (!isTextOrImage(field) || (field.kind === 'image' && hidesImage(values)))}
      problem={problems[field.name]}
      problems={problemsUnder(problems, field.name)}
      locale={locale}
    />
  )
  const classes = fields.filter(isClasses)
  return (
    <>
      {fields.filter((field) => !isClasses(field)).map(one)}
      {classes.length > 0 && (
        <details className={styles.advanced} open={classes.some(({ name }) => problems[name]) || undefined}>
          <summary>{t('blocks.advanced')}</summary>
          {classes.map(one)}
        </details>
      )}
    </>
  )
}

/** CSS classes are for experts, so the field is collapsed. */
const isClasses = ({ kind }: Field) => kind === 'className'

/** The alternative text of an image. */
const isImageText = ({ kind, name }: Field) => kind === 'text' && name === 'alt'

/** The file's own alternative text, which is used when the field is empty. */
function describedBy(file: StoredFile, fields: readonly Field[], values: Group['values'], locale: Locale) {
  const text = altIn(file.alt, locale)
  return fields.some(isImageText) && text && !values.alt ? { alt: text } : {}
}

interface One {
  type: BlockType
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  onUpdate: (update: (before: unknown) => unknown) => void
  onImage: (file: StoredFile) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
}

/** Changes the values of a list of fields; the same object while somebody types. */
interface Changes {
  update: (name: string, update: (before: unknown) => unknown) => void
  setImage: (name: string, file: StoredFile) => void
}

/** A field that a lock does not let the user change can be read. Only the field that changes is rendered again. */
const OneField = memo(
  (its: Omit<One, 'onChange' | 'onUpdate' | 'onImage'> & { changes: Changes; isRead: boolean }): ReactNode => {
    const { isRead, changes, ...own } = its
    const { name, kind } = own.field
    const props: One = {
      ...own,
      onChange: (value) => changes.update(name, () => value),
      onUpdate: (update) => changes.update(name, update),
      onImage: (file) => changes.setImage(name, file),
    }
    const hasFields = (kind === 'object' && props.field.path !== stylePath) || kind === 'objects' || kind === 'blocks'
    if (!isRead || (hasFields && !isMenu(props.field))) return <ChangedField {...props} />
    return (
      <fieldset className={styles.read} disabled>
        <ChangedField {...props} />
      </fieldset>
    )
  },
)

/** The items of a menu, each with a list of its own. */
const isMenu = (field: Field) => field.kind === 'objects' && field.fields.some(({ kind }) => kind === 'children')

function ChangedField(props: One): ReactNode {
  const { type, field, value, onChange, onUpdate, onImage, problem, problems, locale } = props
  const t = useText()
  const uiLocale = useLocale()
  const BlockList = useContext(ColumnBlockList)
  const label = labelOf(type, field, uiLocale)
  const text = typeof value === 'string' ? value : ''
  const changeText = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const changeOptionalText = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value || (field.optional ? undefined : ''))
  const name = { 'data-field': field.name }
  const dir = useContentDirection(locale)
  const words = { ...name, label, error: problem, lang: locale, dir } as const
  const code = { ...name, label, error: problem, dir: 'ltr', spellCheck: false } as const
  const own = { label, value: text, onChange, problem, locale }
  const list = { label, problem, problems, locale }
  const entries = {
    value: listOf<Values>(value),
    onChange: (update: (entries: Values[]) => Values[]) => onUpdate((before) => update(listOf(before))),
  }
  const fieldsIn = (fields: readonly Field[], entry: Values, change: Group['onChange'], wrong: Problems) => (
    <FieldsOfBlock type={type} fields={fields} values={entry} onChange={change} problems={wrong} locale={locale} />
  )

  switch (field.kind) {
    case 'text':
      return (
        <TextInput
          {...words}
          description={isImageText(field) && t('blocks.image.altHelp')}
          value={text}
          onChange={changeText}
        />
      )
    case 'textarea':
      return <Textarea {...words} size="md" autosize minRows={2} maxRows={12} value={text} onChange={changeText} />
    case 'richText':
      return <RichTextField {...own} />
    case 'url':
      return <UrlField {...own} onChange={(url) => onChange(url || (field.optional ? undefined : ''))} />
    case 'className':
      return <TextInput {...code} description={t('blocks.classHelp')} value={text} onChange={changeText} />
    case 'anchor':
      return <TextInput {...code} description={t('blocks.anchorHelp')} value={text} onChange={changeText} />
    case 'email':
      return <TextInput {...code} type="email" value={text} onChange={changeOptionalText} />
    case 'number':
      return (
        <TextInput
          {...code}
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
      return <FileField {...own} kind={field.kind} optional={field.optional} />
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
          {fieldsIn(
            field.fields,
            (value ?? {}) as Values,
            (update) => onUpdate((before) => update((before ?? {}) as Values)),
            problems,
          )}
        </fieldset>
      )
    case 'texts':
      return <TextList {...list} value={listOf(value)} onChange={onChange} most={field.most} />
    // Rendered by the list of blocks itself.
    case 'children':
      return null
    case 'objects':
      if (isMenu(field)) {
        return (
          <MenuItems field={field} {...list} {...entries}>
            {fieldsIn}
          </MenuItems>
        )
      }
      return (
        <EntryList type={type} field={field} {...list} {...entries}>
          {(...entry) => fieldsIn(field.fields, ...entry)}
        </EntryList>
      )
    case 'blocks':
      if (!BlockList) return <p className="quiet">{t('blocks.innerElsewhere')}</p>
      return (
        <BlockList
          value={listOf(value)}
          onChange={(update) => onUpdate((before) => update(listOf(before)))}
          locale={locale}
          problems={problems}
          types={field.types}
          maxBlocks={field.most}
          label={label}
        />
      )
  }
}

const listOf = <Item,>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** The component that edits the blocks in a column, set by `BlockList`; undefined on the canvas, where they are edited in place. */
export const ColumnBlockList = createContext<
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
