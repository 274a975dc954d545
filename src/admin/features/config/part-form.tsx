import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMediaQuery } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eye, Trash2 } from 'lucide-react'
import { type ComponentType, type FocusEvent, type ReactNode, useState } from 'react'
import { configChanges, type SiteParts } from '../../../contract/config-parts.ts'
import type { Configuration } from '../../../contract/configuration.ts'
import type { Locale } from '../../../contract/locales.ts'
import { api, parseAs } from '../../client.ts'
import { ChoiceGroup } from '../../components/choices.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { SaveBar } from '../../components/form.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { useVersionedForm, type VersionedForm, VersionedFormFrame } from '../../components/versioned-form.tsx'
import { type TFunction, useLanguageIn, useLocale, useText } from '../../i18n.ts'
import { useMainLocale, useSiteLanguages } from '../../site-languages.ts'
import { ChangedValue, changeLabel } from './changed-value.tsx'
import styles from './config.module.css'
import { configQuery, storeConfiguration, withRemovals } from './config.ts'
import { Preview, type PreviewTarget } from './preview.tsx'
import { fieldAt } from './values.ts'

/** One settings screen: some parts of the configuration as form values. */
export interface PartDefinition<Values extends Record<string, unknown>> {
  valuesOf: (config: SiteParts, locale: Locale) => Values
  /** The complete new parts. Values that are not in the form come from `config`. */
  partsOf: (values: Values, config: SiteParts) => Partial<SiteParts>
  /** Errors that prevent sending the form, by field. */
  problemsOf?: (values: Values, t: TFunction) => Record<string, string>
  Fields: ComponentType<FieldsProps<Values>>
  /** True when the site shows nothing of these settings, so that there is no preview. */
  hasNoPreview?: boolean
  /** The element of the site to which the preview scrolls; by default the top. A part of the form can override it with `data-preview-target`. */
  previewTarget?: PreviewTarget
}

export interface FieldsProps<Values> {
  form: UseFormReturnType<Values>
  config: SiteParts
  /** True when the last save failed. */
  failed: boolean
}

export function PartForm<Values extends Record<string, unknown>>(props: {
  configuration: Configuration
  part: PartDefinition<Values>
}) {
  const { configuration, part } = props
  const t = useText()
  const locale = useLocale()
  const save = useSaveParts()
  const work: VersionedForm<Configuration, Values> = useVersionedForm<Configuration, Values>({
    entity: configuration,
    valuesOf: (one = configuration) => part.valuesOf(one.config, locale),
    save: (values, from = configuration) => save(part.partsOf(values, from.config), from.version),
    fieldOf: (path): string => fieldAt(work.form.getValues(), path),
    validate: (values) => part.problemsOf?.(values, t) ?? {},
  })
  const { form } = work
  const base = (work.base ?? configuration).config
  const [target, setTarget] = useState(part.previewTarget)
  const follow = ({ target }: FocusEvent<HTMLElement>) => {
    const nearest = target.closest<HTMLElement>('[data-preview-target]')?.dataset.previewTarget
    if (nearest) setTarget(nearest as PreviewTarget)
  }
  const wide = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const values = form.getValues()
  const parts = part.partsOf(values, base)
  const differences = ({ config: theirs }: Configuration) => {
    // What keeping this version would save: others' changes outside this form stay.
    const mine = part.partsOf(values, theirs)
    const configs = [mine, theirs]
    return configChanges(mine, pick(theirs, mine)).map(({ path, before, after }) => ({
      label: changeLabel(path, t, configs),
      mine: <ChangedValue path={path} value={before} configs={configs} />,
      theirs: <ChangedValue path={path} value={after} configs={configs} />,
    }))
  }
  const shown = Object.keys(part.problemsOf?.(values, t) ?? {}).length === 0 ? parts : undefined
  return (
    <div className={styles.side} data-preview={!part.hasNoPreview || undefined}>
      <VersionedFormFrame work={work} notSaved={t('config.notSaved')} differences={differences} onFocus={follow}>
        <part.Fields form={form} config={base} failed={work.failure !== undefined} />
        <SaveBar saving={work.saving} cancelTo="/admin/config">
          {!part.hasNoPreview && !wide && <PreviewOpener parts={shown} target={target} />}
        </SaveBar>
      </VersionedFormFrame>
      {!part.hasNoPreview && wide && (
        <aside className={styles.aside} aria-label={t('config.preview.title')}>
          <Preview parts={shown} target={target} />
        </aside>
      )}
    </div>
  )
}

const pick = (config: SiteParts, like: Partial<SiteParts>): Partial<SiteParts> =>
  Object.fromEntries(Object.keys(like).map((name) => [name, config[name as keyof SiteParts]]))

/** Opens the preview on a screen without room for it beside the form. */
function PreviewOpener(props: Parameters<typeof Preview>[0]) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<Eye />} onClick={() => setOpen(true)}>
        {t('config.preview.open')}
      </Button>
      {open && (
        <Dialog title={t('config.preview.title')} wide onClose={() => setOpen(false)}>
          <Preview {...props} />
          <DialogActions onClose={() => setOpen(false)} close={t('form.close')} />
        </Dialog>
      )}
    </>
  )
}

/** Saves parts of the configuration, with an undo that restores the previous one. */
export function useSaveParts() {
  const t = useText()
  const queries = useQueryClient()
  const put = (config: Partial<SiteParts>, version: number): Promise<Configuration> =>
    parseAs(api.config.$put({ json: { version, config: withRemovals(config) } }))
  const updateCache = (saved: Configuration) => {
    storeConfiguration(queries, saved)
    void queries.invalidateQueries({ queryKey: ['config', 'revisions'] })
  }
  const undo = useMutation({
    mutationFn: ({ config, version }: { config: Partial<SiteParts>; version: number }) => put(config, version),
    onSuccess(saved) {
      updateCache(saved)
      notify(t('config.undone'))
    },
    onError: (error) => notifyFailure(t('config.notUndone'), error),
  })
  return async (config: Partial<SiteParts>, version: number): Promise<Configuration> => {
    const before = queries.getQueryData(configQuery.queryKey)
    const saved = await put(config, version)
    updateCache(saved)
    const previous = before?.version === version ? pick(before.config, config) : undefined
    notify(t('config.saved'), previous && (() => undo.mutate({ config: previous, version: saved.version })))
    return saved
  }
}

/** An item with its name, a remark, and buttons to unfold its fields and to remove it. */
export function Foldable(props: {
  name: string
  note: ReactNode
  open: boolean
  onToggle: () => void
  onRemove: () => void
  /** The fields. */
  children: ReactNode
}) {
  const { name, note, open, onToggle, onRemove, children } = props
  const t = useText()
  const toggle = t(open ? 'config.offer.fold' : 'config.offer.edit')
  return (
    <div className={styles.item}>
      <div className={styles.itemHead}>
        <p>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          <small>{note}</small>
        </p>
        <span className="row">
          <Button aria-expanded={open} aria-label={`${toggle}: ${name}`} onClick={onToggle}>
            {toggle}
          </Button>
          <Button
            variant="subtle"
            className="danger"
            aria-label={t('config.sort.remove', { name })}
            title={t('config.sort.remove', { name })}
            onClick={onRemove}
          >
            <Trash2 />
          </Button>
        </span>
      </div>
      {open && children}
    </div>
  )
}

/** Chooses the language of a list; a language besides the main one may have none, and then begins with a copy. */
export function ContentLanguage(props: {
  /** The title of the list. */
  title: string
  locale: Locale
  onChoose: (locale: Locale) => void
  /** Shown while the language has none; undefined when it has its own. */
  missing: string | undefined
  onCopy: () => void
  children: ReactNode
}) {
  const { title, locale, onChoose, missing, onCopy, children } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const main = useMainLocale()
  return (
    <>
      <div className="row">
        <ChoiceGroup
          legend={<span className="visually-hidden">{`${t('config.preview.locale')}: ${title}`}</span>}
          options={useSiteLanguages().map(({ locale: value, name }) => ({ value, label: name }))}
          chosen={[locale]}
          onChoose={([chosen]) => chosen && onChoose(chosen)}
        />
        {missing && <span className={styles.missing}>{missing}</span>}
      </div>
      {missing ? (
        <div className="row">
          <Button onClick={onCopy}>{t('config.areas.copy', { main: languageIn(main) })}</Button>
        </div>
      ) : (
        children
      )}
    </>
  )
}
