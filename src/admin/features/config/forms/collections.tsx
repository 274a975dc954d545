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
import { type FieldsProps, Foldable, type ScreenDefinition } from '../part-form.tsx'
import { TranslatedFields } from '../text-fields.tsx'
import { pathInItem, useItems } from '../use-items.tsx'
import { emptyTexts, type FormTexts, fromTexts, hasText, newId, textForStaff, toTexts } from '../values.ts'

interface OptionValues {
  id: string
  name: FormTexts
}
interface EntryFieldValues {
  id: string
  name: FormTexts
  type: EntryField['type']
  required: boolean
  inList: boolean
  inDetail: boolean
  options: OptionValues[]
}
interface CollectionValues {
  id: string
  name: FormTexts
  slug: FormTexts
  intro: FormTexts
  kind: NonNullable<Collection['kind']> | ''
  order: Collection['order']
  pageSize: string
  fields: EntryFieldValues[]
}
interface Values extends Record<string, unknown> {
  collections: CollectionValues[]
}
type Form = FieldsProps<Values>['form']

const pageSizes = [6, 9, 12, 24, 48, 96]
const orders = ['newest', 'oldest', 'title'] as const

export const collections: ScreenDefinition<Values> = {
  valuesOf: ({ collections = [], ...site }) => ({
    collections: collections.map((collection) => toFormCollection(collection, mainLocaleOf(site))),
  }),
  partsOf: (values, config) =>
    values.collections.length === 0 && config.collections === undefined
      ? {}
      : { collections: values.collections.map(fromFormCollection) },
  Fields,
  hasNoPreview: true,
}

const toFormCollection = (collection: Collection, main: Locale): CollectionValues => ({
  id: collection.id,
  name: withMainText(collection.name, main),
  slug: withMainText(collection.slug, main),
  intro: collection.intro ? withMainText(collection.intro, main) : emptyTexts(main),
  kind: collection.kind ?? '',
  order: collection.order,
  pageSize: String(collection.pageSize),
  fields: collection.fields.map(({ options = [], name, required = false, ...field }) => ({
    ...field,
    required,
    name: withMainText(name, main),
    options: options.map((option) => ({ id: option.id, name: withMainText(option.name, main) })),
  })),
})

/** A built-in collection can lack the main language. The text in it is then that of another language, to be changed. */
function withMainText(value: Localized<string>, main: Locale): FormTexts {
  const source = value[main] === undefined ? sampleLocale(main) : main
  return toTexts({ [main]: localized(value, source).value, ...value })
}

/** The keys are in the order of the schema, so that an unchanged collection compares equal. */
const fromFormCollection = (collection: CollectionValues): Collection => ({
  id: collection.id,
  name: fromTexts(collection.name),
  slug: fromTexts(collection.slug),
  ...(hasText(collection.intro) && { intro: fromTexts(collection.intro) }),
  ...(collection.kind && { kind: collection.kind }),
  order: collection.order,
  pageSize: Number(collection.pageSize),
  fields: collection.fields.map(({ id, name, type, required, inList, inDetail, options }) => ({
    id,
    name: fromTexts(name),
    type,
    ...(required && { required }),
    inList,
    inDetail,
    ...(type === 'choice' && {
      options: options.map((option) => ({ id: option.id, name: fromTexts(option.name) })),
    }),
  })),
})

const emptyCollection = (id: string, empty: FormTexts): CollectionValues => ({
  id,
  name: empty,
  slug: empty,
  intro: empty,
  kind: '',
  order: 'newest',
  pageSize: '12',
  fields: [],
})

const emptyField = (id: string, name: FormTexts): EntryFieldValues => ({
  id,
  name,
  type: 'text',
  required: false,
  inList: false,
  inDetail: true,
  options: [],
})

/** The name in the language of the user, or a text that says that there is none. */
const nameOf = ({ name }: { name: FormTexts }, unnamed: string) => textForStaff(name) || unnamed

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  const main = useMainLocale()
  const unnamed = t('config.collections.unnamed')
  const {
    items: collections,
    add,
    foldable,
  } = useItems<CollectionValues>({
    form,
    path: 'collections',
    nameOf: (collection) => nameOf(collection, unnamed),
    removedText: 'config.collections.removed',
  })
  const { data: saved } = useQuery({ ...collectionsQuery, staleTime: 0 })
  // Removing a collection hides its entries.
  const hidden = (saved?.entries ?? []).filter(({ id }) => !collections.some((collection) => collection.id === id))
  const savedName = (id: string) => {
    const collection = saved && findCollection(saved, id)
    return collection ? collectionName(collection, currentLocale()) : id
  }
  const isSameOrSameSlug = (builtIn: Collection, { id, slug }: CollectionValues) =>
    id === builtIn.id || Object.values(slug).includes(localized(builtIn.slug, main).value)
  const builtInToAdd = deliveredCollections.filter(
    (builtIn) => !collections.some((collection) => isSameOrSameSlug(builtIn, collection)),
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
            onClick={() => add(emptyCollection(newId('verzameling'), emptyTexts(main)))}
          >
            {t('config.collections.add')}
          </AddButton>
        </div>
        {builtInToAdd.length > 0 && collections.length < limits.collections && (
          <div>
            <p className="quiet flush">{t('config.collections.ready')}</p>
            <div className="row">
              {builtInToAdd.map((builtIn) => (
                <Button key={builtIn.id} size="compact-md" onClick={() => add(toFormCollection(builtIn, main))}>
                  {t('config.collections.addReady', { name: localized(builtIn.name, currentLocale()).value })}
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

function CollectionFields({ form, path, item }: { form: Form; path: string; item: CollectionValues }) {
  const t = useText()
  const main = useMainLocale()
  const { add, sortable, foldable } = useItems<EntryFieldValues>({
    form,
    path: `${path}.fields`,
    findPath: () => pathInItem(form, 'collections', item.id, 'fields'),
    nameOf: (field) => nameOf(field, t('config.collections.unnamed')),
  })
  const propsOf = (name: 'name' | 'slug' | 'intro') => ({
    form,
    path: `${path}.${name}`,
    label: t(`config.collections.${name}`),
  })
  // An imported configuration can have another page size.
  const sizes = [...new Set([...pageSizes, Number(item.pageSize)])].sort((a, b) => a - b)
  return (
    <>
      <TranslatedFields {...propsOf('name')} />
      <TranslatedFields {...propsOf('slug')} help={t('config.collections.slugHelp')} />
      <TranslatedFields {...propsOf('intro')} rows={2} optional="withMain" />
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
            <EntryFieldFields form={form} path={`${path}.fields.${index}`} field={field} />
          </Foldable>
        )}
      </SortableList>
      <div className="row">
        <AddButton
          disabled={item.fields.length >= limits.entryFields}
          onClick={() => add(emptyField(newId('veld'), emptyTexts(main)))}
        >
          {t('config.collections.addField')}
        </AddButton>
      </div>
    </>
  )
}

function EntryFieldFields({ form, path, field }: { form: Form; path: string; field: EntryFieldValues }) {
  const t = useText()
  const main = useMainLocale()
  const setOptions = (options: OptionValues[]) => {
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
              onClick={() => setOptions([...field.options, { id: newId('keuze'), name: emptyTexts(main) }])}
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
