import { Alert, Button, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiRefusal } from '../../client.ts'
import { isOtherTimeZone, momentText, siteTimeText } from '../../components/dates.tsx'
import { DialogForm } from '../../components/dialog.tsx'
import { focusFirstError } from '../../components/form.tsx'
import { reasonOf } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { confirmExampleText } from './confirm-example-text.tsx'
import type { PageEditor } from './page-editor.ts'
import styles from './page-settings.module.css'
import {
  instantOf,
  mondayAtNine,
  tomorrowAtNine,
  useSaveSchedule,
  type WallTime,
  wallTimeOf,
} from './schedule-times.ts'

const moments = ['publishAt', 'unpublishAt'] as const
type Moment = (typeof moments)[number]

/** The dialog that schedules publication and unpublication, in the site's time zone. It saves unsaved changes first. */
export function ScheduleDialog({ editor, close }: { editor: PageEditor; close: () => void }) {
  const t = useText()
  const { page } = editor
  const saveSchedule = useSaveSchedule(editor)
  const [errors, setErrors] = useState<Partial<Record<Moment, string>>>({})
  const [failure, setFailure] = useState<unknown>()
  /** Null: not scheduled. */
  const [times, setTimes] = useState<Record<Moment, WallTime | null>>({
    publishAt: initialPublishTime(page),
    unpublishAt: page.unpublishAt ? wallTimeOf(page.unpublishAt) : null,
  })
  const setTime = (moment: Moment, time: WallTime | null) => {
    setTimes((current) => ({ ...current, [moment]: time }))
    setErrors((current) => ({ ...current, [moment]: undefined }))
  }
  const unsaved = editor.dirty || page.version === 0
  const hasNothingToSave = moments.every((moment) => !times[moment] && !page[moment])

  async function submit() {
    const incomplete = moments.filter((moment) => times[moment] && !instantOf(times[moment]))
    if (incomplete.length > 0) {
      setErrors(Object.fromEntries(incomplete.map((moment) => [moment, t('validation.required')])))
      return focusFirstError('dialog')
    }
    const instantAt = (moment: Moment) => (times[moment] && instantOf(times[moment])) ?? null
    if (times.publishAt && !(await confirmExampleText(editor))) return
    const saved = unsaved ? await editor.save(false) : page
    // The form shows the error, or asks about a conflict.
    if (!saved) return close()
    try {
      const schedule = { publishAt: instantAt('publishAt'), unpublishAt: instantAt('unpublishAt') }
      await saveSchedule.mutateAsync({ version: saved.version, ...schedule })
      close()
    } catch (error) {
      const fieldErrors = error instanceof ApiRefusal ? error.problem.errors : []
      setErrors(Object.fromEntries(fieldErrors.map(({ path, message }) => [path, message])))
      setFailure(fieldErrors.length > 0 ? undefined : error)
      focusFirstError('dialog')
    }
  }
  return (
    <DialogForm
      title={t('pages.schedule.title')}
      onClose={close}
      onSubmit={submit}
      yes={t(unsaved ? 'pages.schedule.saveAndSchedule' : 'pages.schedule.save')}
      disabled={hasNothingToSave}
      saving={saveSchedule.isPending || editor.saving !== undefined}
    >
      <p className="flush quiet">{t('pages.schedule.zone')}</p>
      {failure !== undefined && (
        <Alert color="red" role="alert" title={t('pages.schedule.notSaved')}>
          {reasonOf(failure)}
        </Alert>
      )}
      <ScheduleField moment="publishAt" value={times.publishAt} error={errors.publishAt} onChange={setTime} />
      {page.can.unpublish && (
        <ScheduleField moment="unpublishAt" value={times.unpublishAt} error={errors.unpublishAt} onChange={setTime} />
      )}
      {unsaved && <p className="flush small quiet">{t('pages.schedule.savesFirst')}</p>}
    </DialogForm>
  )
}

/** The scheduled time, or a suggestion for a page that is neither published nor scheduled. */
function initialPublishTime({ publishAt, unpublishAt, state }: PageEditor['page']): WallTime | null {
  if (publishAt) return wallTimeOf(publishAt)
  return state === 'unpublished' && !unpublishAt ? tomorrowAtNine(new Date()) : null
}

function ScheduleField(props: {
  moment: Moment
  value: WallTime | null
  error: string | undefined
  onChange: (moment: Moment, time: WallTime | null) => void
}) {
  const { moment, value, error } = props
  const onChange = (time: WallTime | null) => props.onChange(moment, time)
  const t = useText()
  const locale = useLocale()
  const isoInstant = value && instantOf(value)
  const instant = isoInstant ? new Date(isoInstant) : undefined
  const tomorrow = tomorrowAtNine(new Date())
  return (
    <fieldset className={styles.schedule}>
      <legend>{t(`pages.schedule.${moment}`)}</legend>
      <Switch
        label={t(`pages.schedule.${moment}On`)}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? tomorrow : null)}
      />
      {value && (
        <>
          <div className={styles.quick}>
            <Button onClick={() => onChange(tomorrow)}>{t('pages.schedule.tomorrow')}</Button>
            <Button onClick={() => onChange(mondayAtNine(new Date()))}>{t('pages.schedule.monday')}</Button>
          </div>
          <div className={styles.when}>
            <TextInput
              type="date"
              label={t('pages.schedule.date')}
              dir="ltr"
              value={value.date}
              error={error}
              onChange={(event) => onChange({ ...value, date: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('pages.schedule.time')}
              dir="ltr"
              value={value.time}
              onChange={(event) => onChange({ ...value, time: event.currentTarget.value })}
            />
          </div>
          <p className="flush" role="status">
            {instant && t(`pages.schedule.${moment}At`, { date: siteTimeText(instant, locale, t) })}
            {instant && isOtherTimeZone(instant) && (
              <span className="quiet">
                {' '}
                {t('pages.schedule.withYou', { date: momentText(instant, locale, 'full') })}
              </span>
            )}
          </p>
        </>
      )}
    </fieldset>
  )
}
