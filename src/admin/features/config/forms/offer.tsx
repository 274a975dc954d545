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
import { type FieldsProps, Foldable, type ScreenDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { useItems } from '../use-items.tsx'
import {
  emptyTexts,
  type FormTexts,
  formatCents,
  fromLineTexts,
  fromTexts,
  hasText,
  newId,
  parseCents,
  textForStaff,
  toLineTexts,
  toTexts,
} from '../values.ts'

interface ItemValues {
  id: string
  name: FormTexts
  description: FormTexts
  /** As typed, in euros. */
  amount: string
  /** Whether the amount is a minimum. */
  from: boolean
  period: OfferItem['period']
  term: FormTexts
  features: FormTexts
  recommended: boolean
}

interface Values extends Record<string, unknown> {
  offer: { vat: 'excl' | 'incl'; prices: ItemValues[]; subscriptions: ItemValues[] }
}

const listNames = ['prices', 'subscriptions'] as const
type ListName = (typeof listNames)[number]
const periods = ['once', 'month', 'year'] as const
const maxItems = 12

export const offer: ScreenDefinition<Values> = {
  valuesOf: ({ offer, ...site }, uiLocale) => ({
    offer: {
      vat: offer.vat,
      prices: offer.prices.map((item) => toValues(item, uiLocale, mainLocaleOf(site))),
      subscriptions: offer.subscriptions.map((item) => toValues(item, uiLocale, mainLocaleOf(site))),
    },
  }),
  partsOf: ({ offer }) => ({
    offer: { vat: offer.vat, prices: offer.prices.map(fromValues), subscriptions: offer.subscriptions.map(fromValues) },
  }),
  problemsOf: ({ offer }, t) =>
    Object.fromEntries(
      listNames.flatMap((list) =>
        offer[list].flatMap(({ amount }, index) =>
          parseCents(amount) === undefined ? [[`offer.${list}.${index}.amount`, t('config.offer.amountWrong')]] : [],
        ),
      ),
    ),
  Fields,
  previewTarget: 'prices',
}

const toValues = (item: OfferItem, uiLocale: Locale, main: Locale): ItemValues => ({
  id: item.id,
  name: toTexts(item.name),
  description: toTexts(item.description),
  amount: formatCents(item.amount, uiLocale),
  from: item.from,
  period: item.period,
  term: toTexts(item.term, main),
  features: toLineTexts(item.features),
  recommended: item.recommended,
})

/** The keys are in the order of the schema, so that an unchanged item compares equal. */
const fromValues = (item: ItemValues): OfferItem => ({
  id: item.id,
  name: fromTexts(item.name),
  description: fromTexts(item.description),
  amount: parseCents(item.amount) ?? 0,
  from: item.from,
  period: item.period,
  ...(hasText(item.term) && { term: fromTexts(item.term) }),
  features: fromLineTexts(item.features),
  recommended: item.recommended,
})

const emptyItem = (list: ListName, id: string, empty: FormTexts): ItemValues => ({
  id,
  name: empty,
  description: empty,
  amount: '',
  from: false,
  period: list === 'prices' ? 'once' : 'month',
  term: empty,
  features: empty,
  recommended: false,
})

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <>
      {listNames.map((list) => (
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

function Items({ form, list }: Pick<FieldsProps<Values>, 'form'> & { list: ListName }) {
  const main = useMainLocale()
  const t = useText()
  const path = `offer.${list}`
  const { items, add, sortable, foldable } = useItems<ItemValues>({ form, path, nameOf: (item) => nameOf(item, t) })
  return (
    <Section title={t(`config.fields.offer.${list}`)}>
      {items.length === 0 && <p className="quiet flush">{t('config.offer.none')}</p>}
      <SortableList label={t(`config.fields.offer.${list}`)} {...sortable}>
        {(item, index) => (
          <Foldable note={<PriceNote item={item} />} {...foldable(item, index)}>
            <ItemFields form={form} path={`${path}.${index}`} item={item} />
          </Foldable>
        )}
      </SortableList>
      <div className="row">
        <AddButton
          disabled={items.length >= maxItems}
          onClick={() => add(emptyItem(list, newId('aanbod'), emptyTexts(main)))}
        >
          {t(list === 'prices' ? 'config.offer.addPrice' : 'config.offer.addSubscription')}
        </AddButton>
      </div>
    </Section>
  )
}

const nameOf = (item: ItemValues, t: TFunction) => textForStaff(item.name) || t('config.offer.unnamed')

/** The price of an item, while the typed amount is valid, and its period. */
function PriceNote({ item }: { item: ItemValues }) {
  const t = useText()
  const uiLocale = useLocale()
  const cents = parseCents(item.amount)
  return (
    <>
      {cents !== undefined && (
        <>
          {item.from && `${t('config.offer.from')} `}
          <bdi>{formatPrice(cents, uiLocale)}</bdi> ·{' '}
        </>
      )}
      {t(`config.offer.period.${item.period}`)}
      {item.recommended && ` · ${t('config.fields.item.recommended')}`}
    </>
  )
}

function ItemFields({ form, path, item }: { form: FieldsProps<Values>['form']; path: string; item: ItemValues }) {
  const t = useText()
  const propsOf = (name: 'name' | 'description' | 'term' | 'features') => ({
    form,
    path: `${path}.${name}`,
    label: t(`config.fields.item.${name}`),
  })
  return (
    <>
      <TranslatedFields {...propsOf('name')} />
      <TranslatedFields {...propsOf('description')} />
      <div className={styles.two}>
        <TextField
          form={form}
          path={`${path}.amount`}
          label={t('config.fields.item.amount')}
          help={t('config.help.amount')}
          inputMode="decimal"
          dir="ltr"
          onBlur={() => {
            if (item.amount !== '' && parseCents(item.amount) === undefined) {
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
      <TranslatedFields {...propsOf('term')} optional="withMain" help={t('config.help.term')} />
      <TranslatedFields {...propsOf('features')} rows={6} help={t('config.help.features')} optional />
    </>
  )
}
