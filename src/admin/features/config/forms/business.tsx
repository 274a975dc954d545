import { Switch, Textarea, TextInput } from '@mantine/core'
import { type Weekday, weekdays } from '../../../../contract/config-choices.ts'
import { intlTagOf, type Locale } from '../../../../contract/locales.ts'
import { toLatinDigits } from '../../../../contract/text.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, PartDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { dayNames, linesOf, listOf, numberOf, type Texts, textOf, textsOf } from '../values.ts'

/** The default hours of a day that is changed from closed to open. */
const usual = { opens: '09:00', closes: '18:00' }

interface Day {
  open: boolean
  opens: string
  closes: string
}

interface Values extends Record<string, unknown> {
  business: {
    description: Texts
    openingHours: Record<Weekday, Day>
    priceRange: string
    areaServed: string
    sameAs: string
    geo: { latitude: string; longitude: string }
  }
}

export const business: PartDefinition<Values> = {
  valuesOf: ({ business }, locale) => ({
    business: {
      description: textsOf(business.description),
      openingHours: Object.fromEntries(
        weekdays.map((day) => {
          const hours = business.openingHours[day]
          return [day, { open: hours !== null, ...(hours ?? usual) }]
        }),
      ) as Record<Weekday, Day>,
      priceRange: business.priceRange,
      areaServed: business.areaServed,
      sameAs: linesOf(business.sameAs),
      geo: {
        latitude: decimal(business.geo.latitude, locale),
        longitude: decimal(business.geo.longitude, locale),
      },
    },
  }),
  partsOf: ({ business }, config) => ({
    business: {
      type: config.business.type,
      description: textOf(business.description),
      openingHours: Object.fromEntries(
        weekdays.map((day) => {
          const { open, opens, closes } = business.openingHours[day]
          return [day, open ? { opens: timeOf(opens), closes: timeOf(closes) } : null]
        }),
      ) as (typeof config)['business']['openingHours'],
      priceRange: business.priceRange.trim(),
      areaServed: business.areaServed.trim().toUpperCase(),
      sameAs: listOf(business.sameAs),
      geo: { latitude: numberOf(business.geo.latitude) ?? 0, longitude: numberOf(business.geo.longitude) ?? 0 },
    },
  }),
  problemsOf: ({ business: { geo } }, t) =>
    Object.fromEntries(
      (['latitude', 'longitude'] as const)
        .filter((name) => numberOf(geo[name]) === undefined)
        .map((name) => [`business.geo.${name}`, t('config.offer.numberWrong')]),
    ),
  Fields,
  previewTarget: 'contact',
}

/** Accepts `9`, `9.30` and `۹:۳۰`; the server refuses an invalid time at its field. */
function timeOf(typed: string): string {
  const text = toLatinDigits(typed).trim()
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text) ?? []
  return hours === undefined ? text : `${hours.padStart(2, '0')}:${minutes}`
}

const decimal = (value: number, locale: Locale) =>
  new Intl.NumberFormat(intlTagOf(locale), { maximumFractionDigits: 8 }).format(value)

function Fields({ form }: FieldsProps<Values>) {
  const t = useText()
  return (
    <>
      <Section title={t('config.fields.business.openingHours')}>
        <OpeningHours form={form} />
      </Section>
      <Section title={t('config.screens.business.title')}>
        <TranslatedFields form={form} path="business.description" rows={4} />
        <div className={styles.two}>
          <TextField form={form} path="business.priceRange" help={t('config.help.priceRange')} />
          <TextField form={form} path="business.areaServed" help={t('config.help.country')} dir="ltr" maxLength={2} />
        </div>
        <Textarea
          label={t('config.fields.business.sameAs')}
          description={t('config.help.sameAs')}
          dir="ltr"
          rows={4}
          {...form.getInputProps('business.sameAs')}
        />
        <fieldset className={styles.plain}>
          <legend>{t('config.fields.business.geo')}</legend>
          <p className="help">{t('config.help.geo')}</p>
          <div className={styles.two}>
            <TextField
              form={form}
              path="business.geo.latitude"
              label={t('config.fields.geo.latitude')}
              dir="ltr"
              inputMode="decimal"
            />
            <TextField
              form={form}
              path="business.geo.longitude"
              label={t('config.fields.geo.longitude')}
              dir="ltr"
              inputMode="decimal"
            />
          </div>
        </fieldset>
      </Section>
    </>
  )
}

function OpeningHours({ form }: Pick<FieldsProps<Values>, 'form'>) {
  const t = useText()
  const names = dayNames(t)
  return (
    <div className={styles.week}>
      {weekdays.map((day) => {
        const path = `business.openingHours.${day}`
        const { open } = form.getValues().business.openingHours[day]
        const wrong = form.errors[path] ?? form.errors[`${path}.opens`] ?? form.errors[`${path}.closes`]
        return (
          <fieldset key={day} className={styles.day}>
            <legend className="visually-hidden">{names[day]}</legend>
            <span aria-hidden>{names[day]}</span>
            <Switch
              label={open && t('config.hours.open')}
              aria-label={`${names[day]}: ${t('config.hours.open')}`}
              {...form.getInputProps(`${path}.open`, { type: 'checkbox' })}
            />
            {open ? (
              <span className={styles.times}>
                <TextInput
                  className={styles.time}
                  dir="ltr"
                  inputMode="numeric"
                  aria-label={t('config.hours.opens', { day: names[day] })}
                  {...form.getInputProps(`${path}.opens`)}
                  error={form.errors[`${path}.opens`] !== undefined}
                />
                <span aria-hidden>–</span>
                <TextInput
                  className={styles.time}
                  dir="ltr"
                  inputMode="numeric"
                  aria-label={t('config.hours.closes', { day: names[day] })}
                  {...form.getInputProps(`${path}.closes`)}
                  error={wrong !== undefined}
                />
              </span>
            ) : (
              <span className="quiet">{t('config.hours.closed')}</span>
            )}
            {wrong && (
              <p className="wrong" role="alert">
                {wrong}
              </p>
            )}
          </fieldset>
        )
      })}
    </div>
  )
}
