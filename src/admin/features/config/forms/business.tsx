import { Switch, Textarea, TextInput } from '@mantine/core'
import { type Weekday, weekdays } from '../../../../contract/config-choices.ts'
import { intlTagOf, type Locale } from '../../../../contract/locales.ts'
import { toLatinDigits } from '../../../../contract/text.ts'
import { Section } from '../../../components/page.tsx'
import { useText } from '../../../i18n.ts'
import styles from '../config.module.css'
import type { FieldsProps, ScreenDefinition } from '../part-form.tsx'
import { TextField, TranslatedFields } from '../text-fields.tsx'
import { type FormTexts, fromTexts, joinLines, parseDecimal, splitLines, toTexts, weekdayNames } from '../values.ts'

/** The default hours of a day that is changed from closed to open. */
const defaultHours = { opens: '09:00', closes: '18:00' }

interface DayValues {
  open: boolean
  opens: string
  closes: string
}

interface Values extends Record<string, unknown> {
  business: {
    description: FormTexts
    openingHours: Record<Weekday, DayValues>
    priceRange: string
    areaServed: string
    sameAs: string
    geo: { latitude: string; longitude: string }
  }
}

export const business: ScreenDefinition<Values> = {
  valuesOf: ({ business }, uiLocale) => ({
    business: {
      description: toTexts(business.description),
      openingHours: Object.fromEntries(
        weekdays.map((day) => {
          const hours = business.openingHours[day]
          return [day, { open: hours !== null, ...(hours ?? defaultHours) }]
        }),
      ) as Record<Weekday, DayValues>,
      priceRange: business.priceRange,
      areaServed: business.areaServed,
      sameAs: joinLines(business.sameAs),
      geo: {
        latitude: formatCoordinate(business.geo.latitude, uiLocale),
        longitude: formatCoordinate(business.geo.longitude, uiLocale),
      },
    },
  }),
  partsOf: ({ business }, config) => ({
    business: {
      type: config.business.type,
      description: fromTexts(business.description),
      openingHours: Object.fromEntries(
        weekdays.map((day) => {
          const { open, opens, closes } = business.openingHours[day]
          return [day, open ? { opens: parseTime(opens), closes: parseTime(closes) } : null]
        }),
      ) as (typeof config)['business']['openingHours'],
      priceRange: business.priceRange.trim(),
      areaServed: business.areaServed.trim().toUpperCase(),
      sameAs: splitLines(business.sameAs),
      geo: { latitude: parseDecimal(business.geo.latitude) ?? 0, longitude: parseDecimal(business.geo.longitude) ?? 0 },
    },
  }),
  problemsOf: ({ business: { geo } }, t) =>
    Object.fromEntries(
      (['latitude', 'longitude'] as const)
        .filter((name) => parseDecimal(geo[name]) === undefined)
        .map((name) => [`business.geo.${name}`, t('config.offer.numberWrong')]),
    ),
  Fields,
  previewTarget: 'contact',
}

/** Converts `9`, `9.30` and `۹:۳۰` to `09:00` and `09:30`; an invalid time is as typed, for the server to refuse. */
function parseTime(typed: string): string {
  const text = toLatinDigits(typed).trim()
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text) ?? []
  return hours === undefined ? text : `${hours.padStart(2, '0')}:${minutes}`
}

const formatCoordinate = (value: number, uiLocale: Locale) =>
  new Intl.NumberFormat(intlTagOf(uiLocale), { maximumFractionDigits: 8 }).format(value)

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
  const names = weekdayNames(t)
  return (
    <div className={styles.week}>
      {weekdays.map((day) => {
        const path = `business.openingHours.${day}`
        const { open } = form.getValues().business.openingHours[day]
        const error = form.errors[path] ?? form.errors[`${path}.opens`] ?? form.errors[`${path}.closes`]
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
                  error={error !== undefined}
                />
              </span>
            ) : (
              <span className="quiet">{t('config.hours.closed')}</span>
            )}
            {error && (
              <p className="wrong" role="alert">
                {error}
              </p>
            )}
          </fieldset>
        )
      })}
    </div>
  )
}
