import { Alert, Button, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Refused } from '../../client.ts'
import { isElsewhere, momentText, siteTimeText } from '../../components/dates.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { focusFirstError } from '../../components/form-problems.ts'
import { reasonOf } from '../../components/notify.tsx'
import { useLocale, useText } from '../../i18n.ts'
import { askAboutExamples } from './ask-about-examples.tsx'
import styles from './page-form.module.css'
import type { PageWork } from './page-work.ts'
import { instantOf, mondayAtNine, tomorrowAtNine, type WallTime, wallTimeOf } from './plan-times.ts'
import { useSavePlan } from './save-plan.ts'

type End = 'publishAt' | 'unpublishAt'
type Typed = Record<End, WallTime | null>

/** When the page appears and when it goes again, by the company's clock. What is typed is saved first. */
export function PlanDialog({ work, close }: { work: PageWork; close: () => void }) {
  const t = useText()
  const { page } = work
  const plan = useSavePlan(work)
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
  // With nothing planned and nothing chosen there is nothing to do.
  const idle = !typed.publishAt && !typed.unpublishAt && !page.publishAt && !page.unpublishAt
  const keptPublished = page.fixed && page.locale === 'nl'

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    const missing = (['publishAt', 'unpublishAt'] as const).filter((end) => typed[end] && !instantOf(typed[end]))
    if (missing.length > 0) {
      setErrors(Object.fromEntries(missing.map((end) => [end, t('validation.required')])))
      return focusFirstError('dialog')
    }
    const at = (end: End) => (typed[end] && instantOf(typed[end])) ?? null
    if (typed.publishAt && !(await askAboutExamples(work))) return
    const saved = unsaved ? await work.save(false) : page
    // Why not is said above the form, or asked.
    if (!saved) return close()
    try {
      const plans = { publishAt: at('publishAt'), unpublishAt: at('unpublishAt') }
      await plan.mutateAsync({ version: saved.version, ...plans })
      close()
    } catch (error) {
      const placed = error instanceof Refused ? error.problem.errors : []
      setErrors(Object.fromEntries(placed.map(({ path, message }) => [path, message])))
      setFailure(placed.length > 0 ? undefined : error)
      focusFirstError('dialog')
    }
  }
  return (
    <Dialog title={t('pages.plan.title')} onClose={close}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p className="flush quiet">{t('pages.plan.zone')}</p>
        {failure !== undefined && (
          <Alert color="red" role="alert" title={t('pages.plan.notSaved')}>
            {reasonOf(failure)}
          </Alert>
        )}
        <Planned end="publishAt" value={typed.publishAt} error={errors.publishAt} set={set('publishAt')} />
        {!keptPublished && (
          <Planned end="unpublishAt" value={typed.unpublishAt} error={errors.unpublishAt} set={set('unpublishAt')} />
        )}
        {unsaved && <p className="flush small quiet">{t('pages.plan.savesFirst')}</p>}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('form.cancel')}
          </Button>
          <Button type="submit" disabled={idle} loading={plan.isPending || work.saving !== undefined}>
            {t(unsaved ? 'pages.plan.saveAndPlan' : 'pages.plan.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Who opens this for a page that nobody sees and nothing is planned for comes to publish it. */
function firstMoment({ publishAt, unpublishAt, state }: PageWork['page']): WallTime | null {
  if (publishAt) return wallTimeOf(publishAt)
  return state === 'unpublished' && !unpublishAt ? tomorrowAtNine(new Date()) : null
}

function Planned(props: {
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
    <fieldset className={styles.plan}>
      <legend>{t(`pages.plan.${end}`)}</legend>
      <Switch
        label={t(`pages.plan.${end}On`)}
        checked={value !== null}
        onChange={(event) => set(event.currentTarget.checked ? tomorrow : null)}
      />
      {value && (
        <>
          <div className={styles.quick}>
            <Button variant="default" onClick={() => set(tomorrow)}>
              {t('pages.plan.tomorrow')}
            </Button>
            <Button variant="default" onClick={() => set(mondayAtNine(new Date()))}>
              {t('pages.plan.monday')}
            </Button>
          </div>
          <div className={styles.when}>
            <TextInput
              type="date"
              label={t('pages.plan.date')}
              dir="ltr"
              value={value.date}
              error={error}
              onChange={(event) => set({ ...value, date: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('pages.plan.time')}
              dir="ltr"
              value={value.time}
              onChange={(event) => set({ ...value, time: event.currentTarget.value })}
            />
          </div>
          <p className="flush" role="status">
            {at && t(`pages.plan.${end}At`, { date: siteTimeText(new Date(at), locale, t) })}
            {at && isElsewhere(new Date(at)) && (
              <span className="quiet">
                {' '}
                {t('pages.plan.withYou', { date: momentText(new Date(at), locale, 'full') })}
              </span>
            )}
          </p>
        </>
      )}
    </fieldset>
  )
}
