import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { type ComponentType, type FocusEvent, useState } from 'react'
import { configChanges } from '../../../contract/config-changes.ts'
import type { SiteParts } from '../../../contract/config-parts.ts'
import type { Configuration } from '../../../contract/configuration.ts'
import type { Locale } from '../../../contract/locales.ts'
import { answer, api } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import { NotSaved, SaveBar } from '../../components/save-bar.tsx'
import { StaleChoice } from '../../components/stale-choice.tsx'
import { useVersionedForm, type VersionedForm } from '../../components/versioned-form.ts'
import { type Say, useLocale, useText } from '../../i18n.ts'
import { ChangedValue, changeLabel } from './changed-value.tsx'
import styles from './config.module.css'
import { configQuery } from './config.ts'
import { Preview } from './preview.tsx'
import type { PreviewPlace } from './preview-place.ts'
import { fieldAt } from './values.ts'

/** One screen of the settings: some parts of the configuration, as what stands in a form. */
export interface PartDefinition<Values extends Record<string, unknown>> {
  valuesOf: (config: SiteParts, locale: Locale) => Values
  /** The parts as they are to be, whole. What is not in the form comes from `config`. */
  partsOf: (values: Values, config: SiteParts) => Partial<SiteParts>
  /** What cannot be sent as it stands, by its field. */
  problemsOf?: (values: Values, t: Say) => Record<string, string>
  Fields: ComponentType<FieldsProps<Values>>
  /** Nothing of it is seen on the site. */
  unseen?: boolean
  /** Where the site shows it; left out: at the top. A part of the form says of itself with `data-shows` that it is elsewhere. */
  shows?: PreviewPlace
}

export interface FieldsProps<Values> {
  form: UseFormReturnType<Values>
  config: SiteParts
}

export function PartForm<Values extends Record<string, unknown>>(props: {
  configuration: Configuration
  part: PartDefinition<Values>
}) {
  const { configuration, part } = props
  const t = useText()
  const locale = useLocale()
  const save = useSaveParts()
  /** The one that the form began with: what is not in it comes from there. */
  const [base, setBase] = useState(configuration.config)
  const work: VersionedForm<Configuration, Values> = useVersionedForm<Configuration, Values>({
    thing: configuration,
    valuesOf: (one) => part.valuesOf(one?.config ?? base, locale),
    save: (values, version) => save(part.partsOf(values, base), version ?? configuration.version),
    onSaved: ({ config }) => setBase(config),
    fieldOf: (path): string => fieldAt(work.form.getValues(), path),
    validate: (values) => part.problemsOf?.(values, t) ?? {},
  })
  const { form, dirty, failure, stale } = work
  const [place, setPlace] = useState(part.shows)
  const follow = ({ target }: FocusEvent<HTMLElement>) => {
    const shows = target.closest<HTMLElement>('[data-shows]')?.dataset.shows
    if (shows) setPlace(shows as PreviewPlace)
  }
  const wide = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const values = form.getValues()
  const parts = part.partsOf(values, base)
  const shown = Object.keys(part.problemsOf?.(values, t) ?? {}).length === 0 ? parts : undefined
  return (
    <div className={styles.side} data-preview={!part.unseen || undefined}>
      <form onSubmit={work.onSubmit} onFocus={follow} noValidate className="stack">
        <KeepChanges when={dirty} />
        {failure && <NotSaved key={failure.count} title={t('config.notSaved')} {...failure} />}
        <part.Fields form={form} config={base} />
        <SaveBar saving={work.saving}>
          {!part.unseen && !wide && <PreviewOpener parts={shown} place={place} />}
          <LinkButton to="/admin/config" variant="default">
            {t('form.cancel')}
          </LinkButton>
        </SaveBar>
      </form>
      {!part.unseen && wide && (
        <aside className={styles.aside} aria-label={t('config.preview.title')}>
          <Preview parts={shown} place={place} />
        </aside>
      )}
      {stale && (
        <StaleChoice
          differences={configChanges(parts, pick(stale.theirs.config, parts)).map(({ path, before, after }) => ({
            label: changeLabel(path, t),
            mine: <ChangedValue path={path} value={before} />,
            theirs: <ChangedValue path={path} value={after} />,
          }))}
          keepMine={() => {
            setBase(stale.theirs.config)
            stale.keepMine()
          }}
          takeTheirs={() => {
            setBase(stale.theirs.config)
            stale.takeTheirs()
          }}
          close={stale.close}
        />
      )}
    </div>
  )
}

const pick = (config: SiteParts, like: Partial<SiteParts>): Partial<SiteParts> =>
  Object.fromEntries(Object.keys(like).map((name) => [name, config[name as keyof SiteParts]]))

/** Where there is no room beside the form. */
function PreviewOpener(props: Parameters<typeof Preview>[0]) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<Eye size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('config.preview.open')}
      </Button>
      {open && (
        <Dialog title={t('config.preview.title')} wide onClose={() => setOpen(false)}>
          <Preview {...props} />
          <DialogActions>
            <Button variant="default" onClick={() => setOpen(false)}>
              {t('form.close')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** Saves parts; the answer is what stands now. What stood before is one click away. */
export function useSaveParts() {
  const t = useText()
  const queries = useQueryClient()
  const put = (config: Partial<SiteParts>, version: number): Promise<Configuration> =>
    answer(api.config.$put({ json: { version, config } }))
  const keep = (saved: Configuration) => {
    queries.setQueryData(configQuery.queryKey, saved)
    void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
  }
  const back = useMutation({
    mutationFn: ({ config, version }: { config: Partial<SiteParts>; version: number }) => put(config, version),
    onSuccess(saved) {
      keep(saved)
      tell(t('config.undone'))
    },
    onError: (error) => tellFailure(t('config.notUndone'), error),
  })
  return async (config: Partial<SiteParts>, version: number): Promise<Configuration> => {
    const before = queries.getQueryData(configQuery.queryKey)
    const saved = await put(config, version)
    keep(saved)
    const known = before?.version === version ? pick(before.config, config) : undefined
    tell(t('config.saved'), known && (() => back.mutate({ config: known, version: saved.version })))
    return saved
  }
}
