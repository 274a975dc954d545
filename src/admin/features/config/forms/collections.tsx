import { Button, NativeSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type Collection, type EntryField, findCollection } from '../../../../contract/collections.ts'
import { collectionKinds, entryFieldTypes } from '../../../../contract/config-choices.ts'
import { deliveredCollections } from '../../../../contract/delivered-collections.ts'
import { limits } from '../../../../contract/limits.ts'
import { type Locale, type Localized, localized, mainLocaleOf, sampleLocale } from '../../../../contract/locales.ts'
import { AddButton } from '../../../components/buttons.tsx'
import { Section } from '../../../components/page.tsx'
import { SortableList } from '../../../components/sortable-list.tsx'
import { currentLocale, useText } from '../../../i18n.ts'
import { useMainLocale } from '../../../site-languages.ts'
import { collectionName, collectionsQuery } from '../../collections/collections.ts'
import styles from '../config.module.css'
import { type FieldsProps, Foldable, type PartDefinition } from '../part-form.tsx'
import { TranslatedFields } from '../text-fields.tsx'
import { pathOfItem, useItems } from '../use-items.tsx'
import { hasText, newId, noTextIn, type Texts, textForStaff, textOf, textsOf } from '../values.ts'

interface Option {
  id: string
  name: Texts
}
interface Field {
  id: string
  name: Texts
  type: EntryField['type']
  required: boolean
  inList: boolean
  inDetail: boolean
  options: Option[]
}
interface Item {
  id: string
  name: Texts
  slug: Texts
  intro: Texts
  kind: NonNullable<Collection['kind']> | ''
  order: Collection['order']
  pageSize: string
  fields: Field[]
}
interface Values extends Record<string, unknown> {
  collections: Item[]
}
type Form = FieldsProps<Values>['form']

const pageSizes = [6, 9, 12, 24, 48, 96]
const orders = ['newest', 'oldest', 'title'] as const

export const collections: PartDefinition<Values> = {
  valuesOf: ({ collections = [], ...site }) => ({
    collections: collections.map((one) => itemOf(one, mainLocaleOf(site))),
  }),
  partsOf: (values, config) =>
    values.collections.length === 0 && config.collections === undefined
      ? {}
      : { collections: values.collections.map(collectionOf) },
  Fields,
  hasNoPreview: true,
}

const itemOf = (one: Collection, main: Locale): Item => ({
  id: one.id,
  name: inMain(one.name, main),
  slug: inMain(one.slug, main),
  intro: one.intro ? inMain(one.intro, main) : noTextIn(main),
  kind: one.kind ?? '',
  order: one.order,
  pageSize: String(one.pageSize),
  fields: one.fields.map(({ options = [], name, required = false, ...field }) => ({
    ...field,
    required,
    name: inMain(name, main),
    options: options.map((option) => ({ id: option.id, name: inMain(option.name, main) })),
  })),
})

/** Delivered texts may lack the main language; then the text starts as that of another language. */
const inMain = (value: Localized<string>, main: Locale): Texts =>
  textsOf({ [main]: localized(value, value[main] === undefined ? sampleLocale(main) : main).value, ...value })

/** The keys are in the order of the schema, so that an unchanged collection compares equal. */
const collectionOf = ({ id, name, slug, intro, kind, order, pageSize, fields }: Item): Collection => ({
  id,
  name: textOf(name),
  slug: textOf(slug),
  ...(hasText(intro) && { intro: textOf(intro) }),
  ...(kind && { kind }),
  order,
  pageSize: Number(pageSize),
  fields: fields.map(({ id, name, type, required, inList, inDetail, options }) => ({
    id,
    name: textOf(name),
    type,
    ...(required && { required }),
    inList,
    inDetail,
    ...(type === 'choice' && { options: options.map((option) => ({ id: option.id, name: textOf(option.name) })) }),
  })),
})

const emptyItem = (id: string, noText: Texts): Item => ({
  id,
  name: noText,
  slug: noText,
  intro: noText,
  kind: '',
  order: 'newest',
  pageSize: '12',
  fields: [],
})

const emptyField = (id: string, name: Texts): Field => ({
  id,
  name,
  type: 'text',
  required: false,
  inList: false,
  inDetail: true,
  options: [],
})

/** The name for staff, or that it has none. */
const nameOf = ({ name }: { name: Texts }, unnamed: string) => textForStaff(name) || unnamed

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const main = useMainLocale()
  const unnamed = t('config.collections.unnamed')
  const {
    items: collections,
    add,
    foldable,
  } = useItems<Item>({
    form,
    path: 'collections',
    nameOf: (item) => nameOf(item, unnamed),
    removed: 'config.collections.removed',
  })
  const { data: saved } = useQuery({ ...collectionsQuery, staleTime: 0 })
  const entries = saved?.entries ?? []
  const hidden = entries.filter(({ id }) => !collections.some((one) => one.id === id))
  const savedName = (id: string) => {
    const collection = saved && findCollection(saved, id)
    return collection ? collectionName(collection, currentLocale()) : id
  }
  const ready = deliveredCollections.filter(
    (one) =>
      !collections.some(
        ({ id, slug }) => id === one.id || Object.values(slug).includes(localized(one.slug, main).value),
      ),
  )
  return (
    <>
      <Section title={t('config.screens.collections.title')}>
        {collections.length === 0 && <p className="quiet flush">{t('config.collections.none')}</p>}
        <ul className="plain-list stack">
          {collections.map((item, index) => (
            <li key={item.id}>
              <Foldable note={hasText(item.slug) && <bdi dir="ltr">/{item.slug[main]}</bdi>} {...foldable(item, index)}>
                <CollectionFields form={form} path={`collections.${index}`} item={item} />
              </Foldable>
            </li>
          ))}
        </ul>
        <div className="row">
          <AddButton
            disabled={collections.length >= limits.collections}
            onClick={() => add(emptyItem(newId('verzameling'), noTextIn(main)))}
          >
            {t('config.collections.add')}
          </AddButton>
        </div>
        {ready.length > 0 && collections.length < limits.collections && (
          <div>
            <p className="quiet flush">{t('config.collections.ready')}</p>
            <div className="row">
              {ready.map((one) => (
                <Button key={one.id} size="compact-md" onClick={() => add(itemOf(one, main))}>
                  {t('config.collections.addReady', { name: localized(one.name, currentLocale()).value })}
                </Button>
              ))}
            </div>
          </div>
        )}
      </Section>
      {hidden.length > 0 && (
        <Section title={t('config.locales.hidden')} lead={t('config.collections.hiddenText')}>
          <ul className="flush">
            {hidden.map(({ id, entries }) => (
              <li key={id}>
                <bdi>{savedName(id)}</bdi>: {t('config.locales.pages', { count: entries })}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

function CollectionFields({ form, path, item }: { form: Form; path: string; item: Item }) {
  const t = useText()
  const main = useMainLocale()
  const { add, sortable, foldable } = useItems<Field>({
    form,
    path: `${path}.fields`,
    pathNow: () => pathOfItem(form, 'collections', item.id, 'fields'),
    nameOf: (field) => nameOf(field, t('config.collections.unnamed')),
  })
  const at = (name: 'name' | 'slug' | 'intro') => ({
    form,
    path: `${path}.${name}`,
    label: t(`config.collections.${name}`),
  })
  const sizes = [...new Set([...pageSizes, Number(item.pageSize)])].sort((one, other) => one - other)
  return (
    <>
      <TranslatedFields {...at('name')} />
      <TranslatedFields {...at('slug')} help={t('config.collections.slugHelp')} />
      <TranslatedFields {...at('intro')} rows={2} optional="withMain" />
      <NativeSelect
        label={t('config.collections.kind')}
        description={t('config.collections.kindHelp')}
        data={['' as const, ...collectionKinds].map((value) => ({
          value,
          label: t(`config.collections.kinds.${value || 'page'}`),
        }))}
        {...form.getInputProps(`${path}.kind`)}
      />
      <div className={styles.two}>
        <NativeSelect
          label={t('config.collections.order')}
          data={orders.map((value) => ({ value, label: t(`config.collections.orders.${value}`) }))}
          {...form.getInputProps(`${path}.order`)}
        />
        <NativeSelect
          label={t('config.collections.pageSize')}
          data={sizes.map(String)}
          {...form.getInputProps(`${path}.pageSize`)}
        />
      </div>
      <h3 className={styles.label}>{t('config.collections.fields')}</h3>
      <p className="help">{t('config.collections.fieldsHelp')}</p>
      <SortableList label={t('config.collections.fields')} {...sortable}>
        {(field, index) => (
          <Foldable note={t(`config.collections.types.${field.type}`)} {...foldable(field, index)}>
            <FieldFields form={form} path={`${path}.fields.${index}`} field={field} />
          </Foldable>
        )}
      </SortableList>
      <div className="row">
        <AddButton
          disabled={item.fields.length >= limits.entryFields}
          onClick={() => add(emptyField(newId('veld'), noTextIn(main)))}
        >
          {t('config.collections.addField')}
        </AddButton>
      </div>
    </>
  )
}

function FieldFields({ form, path, field }: { form: Form; path: string; field: Field }) {
  const t = useText()
  const main = useMainLocale()
  const setOptions = (options: Option[]) => {
    form.clearErrors()
    form.setFieldValue(`${path}.options`, options)
  }
  return (
    <>
      <TranslatedFields form={form} path={`${path}.name`} label={t('config.collections.fieldName')} />
      <NativeSelect
        label={t('config.collections.type')}
        data={entryFieldTypes.map((value) => ({ value, label: t(`config.collections.types.${value}`) }))}
        {...form.getInputProps(`${path}.type`)}
      />
      {field.type === 'choice' && (
        <>
          {field.options.map((option, index) => (
            <div key={option.id} className={styles.option}>
              <TranslatedFields
                form={form}
                path={`${path}.options.${index}.name`}
                label={t('config.collections.option', { number: index + 1 })}
              />
              <Button
                variant="subtle"
                className="danger"
                aria-label={t('config.sort.remove', {
                  name: nameOf(option, t('config.collections.option', { number: index + 1 })),
                })}
                onClick={() => setOptions(field.options.filter(({ id }) => id !== option.id))}
              >
                <Trash2 />
              </Button>
            </div>
          ))}
          <div className="row">
            <AddButton
              disabled={field.options.length >= limits.entryOptions}
              onClick={() => setOptions([...field.options, { id: newId('keuze'), name: noTextIn(main) }])}
            >
              {t('config.collections.addOption')}
            </AddButton>
          </div>
        </>
      )}
      <div className="row">
        {(['required', 'inList', 'inDetail'] as const).map((name) => (
          <Switch
            key={name}
            label={t(`config.collections.${name}`)}
            {...form.getInputProps(`${path}.${name}`, { type: 'checkbox' })}
          />
        ))}
      </div>
    </>
  )
}
