import { NativeSelect, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useContext } from 'react'
import { choiceLabel, type Field, labelOf } from '../../../blocks/fields.ts'
import type { BlockType } from '../../../blocks/registry.ts'
import type { StoredFile } from '../../../contract/files.ts'
import { direction, type Locale } from '../../../contract/locales.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { later } from '../../components/later.tsx'
import { useLocale, useText, withTexts } from '../../i18n.ts'
import { AddressField } from './address-field.tsx'
import styles from './blocks.module.css'
import { EntryList } from './entry-list.tsx'
import { IconField } from './icon-field.tsx'
import { InnerBlocks } from './inner-blocks.ts'
import { PictureField } from './picture-field.tsx'
import { type Problems, problemsUnder } from './problems.ts'
import { TextList } from './text-list.tsx'

const waiting = <Skeleton height="9rem" />
const RichTextField = later(async () => (await import('./rich-text-field.tsx')).default, waiting)
const bringMenuItems = withTexts(['config'], () => import('./menu-items.tsx'))
const MenuItems = later(async () => (await bringMenuItems()).default, waiting)

interface Group {
  type: BlockType
  fields: readonly Field[]
  values: Record<string, unknown>
  onChange: (values: Record<string, unknown>) => void
  problems: Problems
  locale: Locale
}

/** Fields one below the other. */
export function FieldsOfBlock({ type, fields, values, onChange, problems, locale }: Group) {
  const t = useText()
  const set = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = values
    // What may be left out is left out, so that a schema's own default stands for it.
    onChange(value === undefined ? others : { ...values, [name]: value })
  }
  const one = (field: Field) => (
    <OneField
      key={field.name}
      type={type}
      field={field}
      value={values[field.name]}
      onChange={(value) => set(field.name, value)}
      onPicture={(file) =>
        onChange({ ...values, [field.name]: file.url, ...describedBy(file, fields, values, locale) })
      }
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

/** What only who knows the stylesheet fills in is folded away. */
const isClasses = ({ kind }: Field) => kind === 'className'

/** What a picture says to who does not see it. */
const isPictureText = ({ kind, name }: Field) => kind === 'line' && name === 'alt'

/** What the files say of a picture, where nothing is said of it here. */
function describedBy(file: StoredFile, fields: readonly Field[], values: Group['values'], locale: Locale) {
  const text = file.alt[locale]
  return fields.some(isPictureText) && text && !values.alt ? { alt: text } : {}
}

interface One {
  type: BlockType
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  onPicture: (file: StoredFile) => void
  problem: string | undefined
  problems: Problems
  locale: Locale
}

function OneField(props: One): ReactNode {
  const { type, field, value, onChange, onPicture, problem, problems, locale } = props
  const t = useText()
  const spoken = useLocale()
  const Inner = useContext(InnerBlocks)
  const label = labelOf(type, field, spoken)
  const text = typeof value === 'string' ? value : ''
  const typed = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  const typedOrNothing = (event: { currentTarget: { value: string } }) =>
    onChange(event.currentTarget.value || (field.optional ? undefined : ''))
  const words = { label, error: problem, lang: locale, dir: direction[locale], autoComplete: 'off' } as const
  const code = { label, error: problem, dir: 'ltr', autoComplete: 'off', spellCheck: false } as const

  switch (field.kind) {
    case 'line':
      return (
        <TextInput
          {...words}
          description={isPictureText(field) && t('blocks.picture.altHelp')}
          value={text}
          onChange={typed}
        />
      )
    case 'paragraphs':
      return <Textarea {...words} size="md" autosize minRows={2} maxRows={12} value={text} onChange={typed} />
    case 'richText':
      return <RichTextField label={label} value={text} onChange={onChange} problem={problem} locale={locale} />
    case 'url':
      return (
        <AddressField
          label={label}
          value={text}
          locale={locale}
          onChange={(url) => onChange(url || (field.optional ? undefined : ''))}
          problem={problem}
        />
      )
    case 'className':
      return <TextInput {...code} description={t('blocks.classHelp')} value={text} onChange={typed} />
    case 'anchor':
      return <TextInput {...code} description={t('blocks.anchorHelp')} value={text} onChange={typed} />
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
          onChange={typedOrNothing}
          data={[
            ...(field.optional && field.name !== 'showIf' ? [{ value: '', label: t('blocks.usual') }] : []),
            ...field.options.map((option) => ({ value: option, label: choiceLabel(type, field, option, spoken) })),
          ]}
        />
      )
    case 'icon':
      return <IconField label={label} value={text} optional={field.optional} onChange={onChange} problem={problem} />
    case 'picture':
    case 'pictureOrLogo':
      return (
        <PictureField
          label={label}
          value={text}
          optional={field.optional}
          logo={field.kind === 'pictureOrLogo'}
          onChange={onChange}
          onChoose={onPicture}
          problem={problem}
        />
      )
    case 'object':
      return (
        <fieldset className={styles.group}>
          <legend>{label}</legend>
          <FieldsOfBlock
            type={type}
            fields={field.fields}
            values={(value ?? {}) as Record<string, unknown>}
            onChange={onChange}
            problems={problems}
            locale={locale}
          />
        </fieldset>
      )
    case 'texts':
      return (
        <TextList
          label={label}
          value={Array.isArray(value) ? (value as string[]) : []}
          most={field.most}
          onChange={onChange}
          problem={problem}
          problems={problems}
          locale={locale}
        />
      )
    case 'objects':
      if (field.fields.some(({ name, kind }) => name === 'submenu' && kind === 'objects')) {
        return (
          <MenuItems
            field={field}
            label={label}
            value={Array.isArray(value) ? (value as Record<string, unknown>[]) : []}
            onChange={onChange}
            problem={problem}
            problems={problems}
            locale={locale}
          >
            {(fields, entry, change, wrong) => (
              <FieldsOfBlock
                type={type}
                fields={fields}
                values={entry}
                onChange={change}
                problems={wrong}
                locale={locale}
              />
            )}
          </MenuItems>
        )
      }
      return (
        <EntryList
          field={field}
          label={label}
          value={Array.isArray(value) ? (value as Record<string, unknown>[]) : []}
          onChange={onChange}
          problem={problem}
          problems={problems}
          locale={locale}
        >
          {(entry, change, wrong) => (
            <FieldsOfBlock
              type={type}
              fields={field.fields}
              values={entry}
              onChange={change}
              problems={wrong}
              locale={locale}
            />
          )}
        </EntryList>
      )
    case 'blocks':
      if (!Inner) return <p className="quiet">{t('blocks.innerElsewhere')}</p>
      return (
        <Inner
          value={Array.isArray(value) ? (value as StoredBlock[]) : []}
          onChange={onChange}
          locale={locale}
          problems={problems}
          types={field.types}
          most={field.most}
          label={label}
        />
      )
  }
}
