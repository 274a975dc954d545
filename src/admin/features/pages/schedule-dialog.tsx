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

type End = 'publishAt' | 'unpublishAt'
type Typed = Record<End, WallTime | null>

/** Schedules publication and unpublication in the site's time zone. Unsaved changes are saved first. */
export function ScheduleDialog({ work, close }: { work: PageEditor; close: () => void }) {
  const t = useText()
  const { page } = work
  const saveSchedule = useSaveSchedule(work)
  const [errors, setErrors] = useState<Partial<Record<End, string>>>({})
  const [failure, setFailure] = useState<unknown>()
  const [typed, setTyped] = useState<Typed>({
    publishAt: firstMoment(page),
    unpublishAt: page.unpublishAt ? wallTimeOf(page.unpublishAt) : null,
  })
  const set = (end: End) => (value: WallTime | null) => {
    setTyped((before) => ({ ...before, [end]: value }))
    setErrors((before) => ({ ...before, [end]: undefined }))
  }
  const unsaved = work.dirty || page.version === 0
  // With nothing scheduled and nothing chosen there is nothing to do.
  const idle = !typed.publishAt && !typed.unpublishAt && !page.publishAt && !page.unpublishAt

  async function submit() {
    const missing = (['publishAt', 'unpublishAt'] as const).filter((end) => typed[end] && !instantOf(typed[end]))
    if (missing.length > 0) {
      setErrors(Object.fromEntries(missing.map((end) => [end, t('validation.required')])))
      return focusFirstError('dialog')
    }
    const at = (end: End) => (typed[end] && instantOf(typed[end])) ?? null
    if (typed.publishAt && !(await confirmExampleText(work))) return
    const saved = unsaved ? await work.save(false) : page
    // The form shows the error, or asks about a conflict.
    if (!saved) return close()
    try {
      const schedule = { publishAt: at('publishAt'), unpublishAt: at('unpublishAt') }
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
      disabled={idle}
      saving={saveSchedule.isPending || work.saving !== undefined}
    >
      <p className="flush quiet">{t('pages.schedule.zone')}</p>
      {failure !== undefined && (
        <Alert color="red" role="alert" title={t('pages.schedule.notSaved')}>
          {reasonOf(failure)}
        </Alert>
      )}
      <ScheduleField end="publishAt" value={typed.publishAt} error={errors.publishAt} set={set('publishAt')} />
      {page.can.unpublish && (
        <ScheduleField
          end="unpublishAt"
          value={typed.unpublishAt}
          error={errors.unpublishAt}
          set={set('unpublishAt')}
        />
      )}
      {unsaved && <p className="flush small quiet">{t('pages.schedule.savesFirst')}</p>}
    </DialogForm>
  )
}

/** Suggests a time for a page that is neither published nor scheduled. */
function firstMoment({ publishAt, unpublishAt, state }: PageEditor['page']): WallTime | null {
  if (publishAt) return wallTimeOf(publishAt)
  return state === 'unpublished' && !unpublishAt ? tomorrowAtNine(new Date()) : null
}

function ScheduleField(props: {
  end: End
  value: WallTime | null
  error: string | undefined
  set: (value: WallTime | null) => void
}) {
  const { end, value, error, set } = props
  const t = useText()
  const locale = useLocale()
  const at = value && instantOf(value)
  const tomorrow = tomorrowAtNine(new Date())
  return (
    <fieldset className={styles.schedule}>
      <legend>{t(`pages.schedule.${end}`)}</legend>
      <Switch
        label={t(`pages.schedule.${end}On`)}
        checked={value !== null}
        onChange={(event) => set(event.currentTarget.checked ? tomorrow : null)}
      />
      {value && (
        <>
          <div className={styles.quick}>
            <Button onClick={() => set(tomorrow)}>{t('pages.schedule.tomorrow')}</Button>
            <Button onClick={() => set(mondayAtNine(new Date()))}>{t('pages.schedule.monday')}</Button>
          </div>
          <div className={styles.when}>
            <TextInput
              type="date"
              label={t('pages.schedule.date')}
              dir="ltr"
              value={value.date}
              error={error}
              onChange={(event) => set({ ...value, date: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('pages.schedule.time')}
              dir="ltr"
              value={value.time}
              onChange={(event) => set({ ...value, time: event.currentTarget.value })}
            />
          </div>
          <p className="flush" role="status">
            {at && t(`pages.schedule.${end}At`, { date: siteTimeText(new Date(at), locale, t) })}
            {at && isOtherTimeZone(new Date(at)) && (
              <span className="quiet">
                {' '}
                {t('pages.schedule.withYou', { date: momentText(new Date(at), locale, 'full') })}
              </span>
            )}
          </p>
        </>
      )}
    </fieldset>
  )
}
