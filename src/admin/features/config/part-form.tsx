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
import { ChangedValue, configPathLabel } from './changed-value.tsx'
import styles from './config.module.css'
import { configQuery, storeConfiguration, withRemovals } from './config.ts'
import { Preview, type PreviewProps, type PreviewTarget } from './preview.tsx'
import { formFieldOf } from './values.ts'

/** A settings screen: the form for some parts of the configuration. */
export interface ScreenDefinition<Values extends Record<string, unknown>> {
  /** The values of the form. @param uiLocale in which numbers are formatted */
  valuesOf: (config: SiteParts, uiLocale: Locale) => Values
  /** The parts to save, each complete: what the form does not have comes from `config`. Undefined removes a part. */
  partsOf: (values: Values, config: SiteParts) => Partial<SiteParts>
  /** Errors by field, with which the form is neither sent nor previewed. */
  problemsOf?: (values: Values, t: TFunction) => Record<string, string>
  Fields: ComponentType<FieldsProps<Values>>
  /** Whether the screen lacks a preview of the site. */
  hasNoPreview?: boolean
  /** Where the preview scrolls to; by default the top. `data-preview-target` around a focused field overrides it. */
  previewTarget?: PreviewTarget
}

export interface FieldsProps<Values> {
  form: UseFormReturnType<Values>
  /** As stored. */
  config: SiteParts
  saveFailed: boolean
}

/** The form of a settings screen, with a preview of the site. */
export function ConfigScreenForm<Values extends Record<string, unknown>>(props: {
  configuration: Configuration
  definition: ScreenDefinition<Values>
}) {
  const { configuration, definition } = props
  const t = useText()
  const uiLocale = useLocale()
  const save = useSaveParts()
  const versionedForm: VersionedForm<Configuration, Values> = useVersionedForm<Configuration, Values>({
    entity: configuration,
    valuesOf: ({ config } = configuration) => definition.valuesOf(config, uiLocale),
    save: (values, { config, version } = configuration) => save(definition.partsOf(values, config), version),
    fieldOf: (path): string => formFieldOf(versionedForm.form.getValues(), path),
    validate: (values) => definition.problemsOf?.(values, t) ?? {},
  })
  const { form } = versionedForm
  const base = (versionedForm.base ?? configuration).config
  const [previewTarget, setPreviewTarget] = useState(definition.previewTarget)
  const scrollPreview = ({ target }: FocusEvent<HTMLElement>) => {
    const nearest = target.closest<HTMLElement>('[data-preview-target]')?.dataset.previewTarget
    if (nearest) setPreviewTarget(nearest as PreviewTarget)
  }
  const isWide = useMediaQuery('(min-width: 80em)', undefined, { getInitialValueInEffect: false })
  const values = form.getValues()
  const hasProblems = Object.keys(definition.problemsOf?.(values, t) ?? {}).length > 0
  const previewedParts = hasProblems ? undefined : definition.partsOf(values, base)
  const differences = ({ config: theirs }: Configuration) => {
    // What would be saved over the other version: changes of that one outside this form stay.
    const mine = definition.partsOf(values, theirs)
    const configs = [mine, theirs]
    return configChanges(mine, pickSameParts(theirs, mine)).map(({ path, before, after }) => ({
      label: configPathLabel(path, t, configs),
      mine: <ChangedValue path={path} value={before} configs={configs} />,
      theirs: <ChangedValue path={path} value={after} configs={configs} />,
    }))
  }
  return (
    <div className={styles.side} data-preview={!definition.hasNoPreview || undefined}>
      <VersionedFormFrame
        versionedForm={versionedForm}
        notSaved={t('config.notSaved')}
        differences={differences}
        onFocus={scrollPreview}
      >
        <definition.Fields form={form} config={base} saveFailed={versionedForm.failure !== undefined} />
        <SaveBar saving={versionedForm.saving} cancelTo="/admin/config">
          {!definition.hasNoPreview && !isWide && <PreviewButton parts={previewedParts} target={previewTarget} />}
        </SaveBar>
      </VersionedFormFrame>
      {!definition.hasNoPreview && isWide && (
        <aside className={styles.aside} aria-label={t('config.preview.title')}>
          <Preview parts={previewedParts} target={previewTarget} />
        </aside>
      )}
    </div>
  )
}

const pickSameParts = (config: SiteParts, parts: Partial<SiteParts>): Partial<SiteParts> =>
  Object.fromEntries(Object.keys(parts).map((name) => [name, config[name as keyof SiteParts]]))

/** Opens the preview in a dialog, on a screen that is too narrow for it. */
function PreviewButton(props: PreviewProps) {
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

/** @returns a function that saves parts of the configuration, with an undo if the replaced version is cached */
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
    const cached = queries.getQueryData(configQuery.queryKey)
    const saved = await put(config, version)
    updateCache(saved)
    const previous = cached?.version === version ? pickSameParts(cached.config, config) : undefined
    notify(t('config.saved'), previous && (() => undo.mutate({ config: previous, version: saved.version })))
    return saved
  }
}

/** An item of a list: its name, a note, and buttons to unfold its fields and to remove it. */
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

/** Chooses the language of a list. A language without its own list offers a copy of that in the main language. */
export function ContentLanguage(props: {
  /** The title of the list. */
  title: string
  locale: Locale
  onChoose: (locale: Locale) => void
  /** The notice that the language has no list; undefined when it has one. */
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
