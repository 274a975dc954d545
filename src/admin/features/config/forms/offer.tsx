import { NativeSelect, Switch } from '@mantine/core'
import { formatPrice } from '../../../../blocks/offer.tsx'
import { type Locale, mainLocaleOf } from '../../../../contract/locales.ts'
import type { OfferItem } from '../../../../contract/site-config.ts'
import { AddButton } from '../../../components/buttons.tsx'
import { Section } from '../../../components/page.tsx'
import { SortableList } from '../../../components/sortable-list.tsx'
import { type TFunction, useLocale, useText } from '../../../i18n.ts'
import { useMainLocale } from '../../../site-languages.ts'
import styles from '../config.module.css'
import { type FieldsProps, Foldable, type PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { useItems } from '../use-items.tsx'
import {
  amountText,
  centsOf,
  hasText,
  lineTextsOf,
  listsOf,
  newId,
  noTextIn,
  type Texts,
  textForStaff,
  textOf,
  textsOf,
} from '../values.ts'

interface Item {
  id: string
  name: Texts
  description: Texts
  /** As typed. */
  amount: string
  from: boolean
  period: OfferItem['period']
  term: Texts
  features: Texts
  recommended: boolean
}

interface Values extends Record<string, unknown> {
  offer: { vat: 'excl' | 'incl'; prices: Item[]; subscriptions: Item[] }
}

const lists = ['prices', 'subscriptions'] as const
type List = (typeof lists)[number]
const periods = ['once', 'month', 'year'] as const
const most = 12

export const offer: PartDefinition<Values> = {
  valuesOf: ({ offer, ...site }, locale) => ({
    offer: {
      vat: offer.vat,
      prices: offer.prices.map((item) => typedItem(item, locale, mainLocaleOf(site))),
      subscriptions: offer.subscriptions.map((item) => typedItem(item, locale, mainLocaleOf(site))),
    },
  }),
  partsOf: ({ offer }) => ({
    offer: { vat: offer.vat, prices: offer.prices.map(itemOf), subscriptions: offer.subscriptions.map(itemOf) },
  }),
  problemsOf: ({ offer }, t) =>
    Object.fromEntries(
      lists.flatMap((list) =>
        offer[list].flatMap(({ amount }, index) =>
          centsOf(amount) === undefined ? [[`offer.${list}.${index}.amount`, t('config.offer.amountWrong')]] : [],
        ),
      ),
    ),
  Fields,
  previewTarget: 'prices',
}

const typedItem = (item: OfferItem, locale: Locale, main: Locale): Item => ({
  id: item.id,
  name: textsOf(item.name),
  description: textsOf(item.description),
  amount: amountText(item.amount, locale),
  from: item.from,
  period: item.period,
  term: textsOf(item.term, main),
  features: lineTextsOf(item.features),
  recommended: item.recommended,
})

/** The keys are in the order of the schema, so that an unchanged item compares equal. */
const itemOf = (item: Item): OfferItem => ({
  id: item.id,
  name: textOf(item.name),
  description: textOf(item.description),
  amount: centsOf(item.amount) ?? 0,
  from: item.from,
  period: item.period,
  ...(hasText(item.term) && { term: textOf(item.term) }),
  features: listsOf(item.features),
  recommended: item.recommended,
})

const emptyItem = (list: List, id: string, noText: Texts): Item => ({
  id,
  name: noText,
  description: noText,
  amount: '',
  from: false,
  period: list === 'prices' ? 'once' : 'month',
  term: noText,
  features: noText,
  recommended: false,
})

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <>
      {lists.map((list) => (
        <div key={list} data-preview-target={list}>
          <Items form={form} list={list} />
        </div>
      ))}
      <Section title={t('config.fields.offer.vat')}>
        <NativeSelect
          aria-label={t('config.fields.offer.vat')}
          data={(['excl', 'incl'] as const).map((value) => ({ value, label: t(`config.offer.vat.${value}`) }))}
          {...form.getInputProps('offer.vat')}
        />
      </Section>
    </>
  )
}

function Items({ form, list }: Pick<FieldsProps<Values>, 'form'> & { list: List }) {
  const main = useMainLocale()
  const t = useText()
  const path = `offer.${list}`
  const { items, add, sortable, foldable } = useItems<Item>({ form, path, nameOf: (item) => nameOf(item, t) })
  return (
    <Section title={t(`config.fields.offer.${list}`)}>
      {items.length === 0 && <p className="quiet flush">{t('config.offer.none')}</p>}
      <SortableList label={t(`config.fields.offer.${list}`)} {...sortable}>
        {(item, index) => (
          <Foldable note={<Note item={item} />} {...foldable(item, index)}>
            <ItemFields form={form} path={`${path}.${index}`} item={item} />
          </Foldable>
        )}
      </SortableList>
      <div className="row">
        <AddButton
          disabled={items.length >= most}
          onClick={() => add(emptyItem(list, newId('aanbod'), noTextIn(main)))}
        >
          {t(list === 'prices' ? 'config.offer.addPrice' : 'config.offer.addSubscription')}
        </AddButton>
      </div>
    </Section>
  )
}

const nameOf = (item: Item, t: TFunction) => textForStaff(item.name) || t('config.offer.unnamed')

function Note({ item }: { item: Item }) {
  const t = useText()
  const locale = useLocale()
  const cents = centsOf(item.amount)
  return (
    <>
      {cents !== undefined && (
        <>
          {item.from && `${t('config.offer.from')} `}
          <bdi>{formatPrice(cents, locale)}</bdi> ·{' '}
        </>
      )}
      {t(`config.offer.period.${item.period}`)}
      {item.recommended && ` · ${t('config.fields.item.recommended')}`}
    </>
  )
}

function ItemFields({ form, path, item }: { form: FieldsProps<Values>['form']; path: string; item: Item }) {
  const t = useText()
  const both = (
    field: 'name' | 'description' | 'term' | 'features',
    more: Partial<Parameters<typeof TranslatedFields>[0]>,
  ) => <TranslatedFields form={form} path={`${path}.${field}`} label={t(`config.fields.item.${field}`)} {...more} />
  return (
    <>
      {both('name', {})}
      {both('description', {})}
      <div className={styles.two}>
        <TextField
          form={form}
          path={`${path}.amount`}
          label={t('config.fields.item.amount')}
          help={t('config.help.amount')}
          inputMode="decimal"
          dir="ltr"
          onBlur={() => {
            if (item.amount !== '' && centsOf(item.amount) === undefined) {
              form.setFieldError(`${path}.amount`, t('config.offer.amountWrong'))
            }
          }}
        />
        <NativeSelect
          label={t('config.fields.item.period')}
          data={periods.map((value) => ({ value, label: t(`config.offer.period.${value}`) }))}
          {...form.getInputProps(`${path}.period`)}
        />
      </div>
      <div className="row">
        <Switch label={t('config.fields.item.from')} {...form.getInputProps(`${path}.from`, { type: 'checkbox' })} />
        <Switch
          label={t('config.fields.item.recommended')}
          {...form.getInputProps(`${path}.recommended`, { type: 'checkbox' })}
        />
      </div>
      {both('term', { optional: 'withMain', help: t('config.help.term') })}
      {both('features', { rows: 6, help: t('config.help.features'), optional: true })}
    </>
  )
}
