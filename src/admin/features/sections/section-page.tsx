import { Alert, Button, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, Settings2 } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { type Locale, languageName } from '../../../contract/locales.ts'
import type { Section } from '../../../contract/sections.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { ApiRefusal, isApiRefusal } from '../../client.ts'
import { IconButton } from '../../components/buttons.tsx'
import { UnsavedChangesGuard } from '../../components/dialog.tsx'
import { SaveFailure } from '../../components/form.tsx'
import { Help } from '../../components/help.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { NotFound, Page } from '../../components/page.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { type Difference, type StaleActions, StaleDialog, useVersionedForm } from '../../components/versioned-form.tsx'
import { useLanguageIn, useLocale, useText } from '../../i18n.ts'
import { useMainLocale, useSiteLanguages } from '../../site-languages.ts'
import { withNewIds } from '../blocks/block-clipboard.ts'
import {
  type BlockLocks,
  compareBlocks,
  type LockedChanges,
  LockedChangesContext,
  LocksContext,
  noLock,
  revertForbiddenChanges,
} from '../blocks/block-locks.ts'
import { blockName } from '../blocks/block-names.tsx'
import { EditorFrameContext } from '../blocks/canvas-tools.ts'
import { hasProblem, noProblems, type Problems, problemsAfterChange, problemsUnder } from '../blocks/problems.ts'
import { BodySection } from '../pages/body-section.tsx'
import bars from '../pages/editor-bar.module.css'
import screen from '../pages/editor-screen.module.css'
import panels from '../pages/page-settings.module.css'
import { BlockTextView } from '../pages/page-text-view.tsx'
import { pageReadRights } from '../pages/pages.ts'
import { useRight } from '../sign-in/me.ts'
import { AboutSection } from './section-about.tsx'
import { putSection, sectionQuery } from './sections.ts'

export function SectionPage() {
  const t = useText()
  const { section: id } = useParams({ from: '/admin/sections/$section' })
  const maySee = useRight(...pageReadRights)
  const { data: section, error, refetch } = useQuery({ ...sectionQuery(id), enabled: maySee })
  if (section && maySee) return <SectionScreen key={id} section={section} />
  if (isApiRefusal(error, 'not_found')) {
    return (
      <div className={screen.apart}>
        <NotFound />
      </div>
    )
  }
  return (
    <div className={screen.apart}>
      <Page
        title={t('blocks.sections.one')}
        back={{ to: '/admin/sections', label: t('shell.sections') }}
        allowed={maySee}
      >
        <LoadingOrError error={error} refetch={refetch} rows={6} />
      </Page>
    </div>
  )
}

interface Values extends Record<string, unknown> {
  name: string
  texts: Record<Locale, StoredBlock[]>
}
const valuesOf = (section: Section | undefined): Values => ({
  name: section?.name ?? '',
  texts: (section?.texts ?? {}) as Values['texts'],
})

/** The editor of a section in the whole window, as for a page: the bar, notices, the blocks, and the section's usages. */
function SectionScreen({ section }: { section: Section }) {
  const t = useText()
  const queries = useQueryClient()
  const mainLocale = useMainLocale()
  const [locale, setLocale] = useState<Locale>(section.locales[0] ?? mainLocale)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const frame = useMemo(
    () => ({ bar, closeSettings: () => setSettingsOpen(false), selectBlock() {}, registerSelectBlock() {} }),
    [bar],
  )
  /** The errors in the blocks, by path: `nl.0.title`. */
  const [problems, setProblems] = useState<Problems>(noProblems)
  const updateCache = (saved: Section) => {
    queries.setQueryData(sectionQuery(saved.id).queryKey, saved)
    void queries.invalidateQueries({ queryKey: ['sections', 'list'] })
    void queries.invalidateQueries({ queryKey: ['preview-data'] })
  }
  const undo = useMutation({
    mutationFn: ({ before, saved }: { before: Section; saved: Section }) => putSection(saved.id, before, saved.version),
    onSuccess(saved) {
      updateCache(saved)
      notify(t('blocks.sections.undone'))
    },
    onError: (error) => notifyFailure(t('blocks.sections.notSaved'), error),
  })
  const versionedForm = useVersionedForm<Section, Values>({
    entity: section,
    valuesOf,
    async save(values, base) {
      setProblems(noProblems)
      try {
        return await putSection(section.id, values, base?.version)
      } catch (error) {
        if (error instanceof ApiRefusal) {
          // The API has Dutch and Persian beside `texts`.
          const saveProblems = Object.fromEntries(
            error.problem.errors.map(({ path, message }) => [path.replace(/^texts\./, ''), message]),
          )
          setProblems(saveProblems)
          const invalidLocale = Object.keys(values.texts).find((tag) => hasProblem(saveProblems, tag))
          if (invalidLocale && !hasProblem(saveProblems, locale)) setLocale(invalidLocale)
        }
        throw error
      }
    },
    // An error of a whole language has no field in this form.
    fieldOf: (path) => (path === 'nl' || path === 'fa' || path.startsWith('texts') ? '' : path),
    onSaved(saved, before) {
      const isChanged = before !== undefined && saved.version !== before.version
      notify(t('blocks.sections.saved'), isChanged ? () => undo.mutate({ before, saved }) : undefined)
      updateCache(saved)
    },
  })
  const { form, failure, stale } = versionedForm
  const isReadOnly = !section.can.change
  const body = form.getValues().texts[locale] ?? []
  const setBody = (update: (body: StoredBlock[]) => StoredBlock[]) => {
    const { texts } = form.getValues()
    const before = texts[locale] ?? []
    const next = update(before)
    form.setFieldValue('texts', { ...texts, [locale]: next })
    setProblems((problems) => problemsAfterChange(problems, locale, before, next))
  }
  const title = section.name
  const formId = useId()
  const submit = useRef<HTMLButtonElement>(null)
  useHotkeys(isReadOnly ? [] : [['mod+S', () => submit.current?.click()]], [], true)
  useEffect(() => {
    document.title = title
  }, [title])
  /** The errors of this language, by path as in a page: `body.0.title`. */
  const bodyProblems = useMemo(() => {
    const entries = Object.entries(problemsUnder(problems, locale))
    return Object.fromEntries(entries.map(([path, message]) => [`body.${path}`, message]))
  }, [problems, locale])
  return (
    <div className={screen.screen}>
      <UnsavedChangesGuard when={versionedForm.dirty} />
      <header className={bars.bar}>
        <Link to="/admin/sections" className={bars.back}>
          <ChevronLeft className="flip-in-rtl" size={20} />
          <span>{t('shell.sections')}</span>
        </Link>
        <div className={bars.titled}>
          <h1 className="visually-hidden">
            <bdi>{section.name}</bdi>
          </h1>
          {/* The form holds only the name, so that Enter in a field of a block does not save. */}
          <form id={formId} onSubmit={versionedForm.onSubmit} noValidate>
            <TextInput
              aria-label={t('blocks.sections.name')}
              required
              disabled={isReadOnly}
              {...form.getInputProps('name')}
            />
          </form>
        </div>
        <Languages locale={locale} onChoose={setLocale} />
        <div ref={setBar} className={bars.tools} />
        <div className={bars.more}>
          <Help />
          <IconButton
            label={t('blocks.sections.about')}
            icon={<Settings2 />}
            aria-expanded={settingsOpen}
            aria-controls="gebruik"
            onClick={() => setSettingsOpen(!settingsOpen)}
          />
        </div>
        {!isReadOnly && (
          <div className={bars.saving}>
            <Button
              variant="filled"
              ref={submit}
              type="submit"
              form={formId}
              loading={versionedForm.saving}
              aria-keyshortcuts="Control+S Meta+S"
            >
              {t('form.save')}
            </Button>
          </div>
        )}
      </header>
      <div className={screen.notices}>
        {isReadOnly && <Alert>{t('blocks.sections.readOnly')}</Alert>}
        {!isReadOnly && section.usedBy > 0 && <Alert>{t('blocks.sections.atOnce', { count: section.usedBy })}</Alert>}
        {section.locked && !isReadOnly && <Alert>{t('blocks.lock.boundSection')}</Alert>}
        {body.length === 0 && !isReadOnly && (
          <FallbackNotice
            texts={form.getValues().texts}
            locked={section.locked}
            onCopy={(blocks) => setBody(() => blocks)}
          />
        )}
        {failure && <SaveFailure title={t('blocks.sections.notSaved')} {...failure} />}
      </div>
      <div className={screen.work}>
        <EditorFrameContext value={frame}>
          {isReadOnly ? (
            <div className={screen.body} data-way="list">
              {body.map((block) => (
                <BlockTextView key={block.id} block={block} contentLocale={locale} />
              ))}
            </div>
          ) : (
            <SectionLocks section={section} locale={locale} body={body} change={(next) => setBody(() => next)}>
              <BodySection
                key={locale}
                editor={{
                  page: { locale },
                  text: { title: '', slug: '', body: body as never },
                  problems: bodyProblems,
                  change: (update) =>
                    setBody((current) => update({ body: current as never }).body as unknown as StoredBlock[]),
                }}
              />
            </SectionLocks>
          )}
        </EditorFrameContext>
        {settingsOpen && (
          <aside id="gebruik" className={panels.settings} aria-label={t('blocks.sections.about')}>
            <div className={panels.part}>
              <AboutSection section={section} locale={locale} />
            </div>
          </aside>
        )}
      </div>
      {stale && <SectionConflict mine={form.getValues()} {...stale} />}
    </div>
  )
}

/** Provides the locks of the blocks: a section is locked as a whole when a page shows it inside a locked block. */
function SectionLocks(props: {
  section: Section
  locale: Locale
  body: StoredBlock[]
  change: (body: StoredBlock[]) => void
  children: ReactNode
}) {
  const { section, locale, body, change, children } = props
  const isEmpty = body.length === 0
  const mainLocale = useMainLocale()
  const locks = useMemo((): BlockLocks => {
    const { texts } = section
    // Blocks in a new language are copies of those in another one, and are compared with them.
    const copiedBlocks = isEmpty ? undefined : (texts[mainLocale] ?? Object.values(texts)[0])
    const saved = (texts[locale] ?? copiedBlocks ?? []) as StoredBlock[]
    return { locks: [], userLock: { ...noLock, page: section.locked }, saved, onLock: undefined }
  }, [section, locale, isEmpty, mainLocale])
  const compared = useMemo(() => compareBlocks(locks, body), [locks, body])
  const lockedChanges: LockedChanges = {
    current: body,
    problems: compared.problems,
    putBack: (block) => change(block ? revertForbiddenChanges(locks, body, block) : compared.body),
  }
  return (
    <LocksContext value={locks}>
      <LockedChangesContext value={lockedChanges}>{children}</LockedChangesContext>
    </LocksContext>
  )
}

function Languages({ locale, onChoose }: { locale: Locale; onChoose: (locale: Locale) => void }) {
  const t = useText()
  return (
    <fieldset className={`${bars.languages} ${bars.ways}`}>
      <legend className="visually-hidden">{t('blocks.sections.language')}</legend>
      {useSiteLanguages().map(({ locale: option, name }) => (
        <button
          key={option}
          type="button"
          lang={option}
          title={name}
          aria-pressed={option === locale}
          onClick={() => onChoose(option)}
        >
          <span aria-hidden>{option}</span>
          <span className="visually-hidden">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

/**
 * Tells which language visitors see in a language without blocks, and copies its blocks on request. In a locked
 * section the copies keep their ids, by which they are compared.
 */
function FallbackNotice(props: { texts: Values['texts']; locked: boolean; onCopy: (body: StoredBlock[]) => void }) {
  const { texts, locked, onCopy } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const fallback = [useMainLocale(), ...Object.keys(texts)].find((tag) => (texts[tag] ?? []).length > 0)
  if (fallback === undefined) return null
  const blocks = texts[fallback] ?? []
  const language = languageIn(fallback)
  return (
    <Alert>
      <p className="flush">{t('blocks.sections.fallbackTo', { language })}</p>
      <Button mt="sm" onClick={() => onCopy(locked ? blocks : blocks.map(withNewIds))}>
        {t('blocks.sections.beginWith', { language })}
      </Button>
    </Alert>
  )
}

/** Shows the unsaved values side by side with those that somebody else saved meanwhile. */
function SectionConflict(props: StaleActions & { mine: Values; theirs: Section }) {
  const { mine, theirs, ...actions } = props
  const t = useText()
  const uiLocale = useLocale()
  const saved = valuesOf(theirs)
  const blockNames = (body: StoredBlock[]) => body.map(({ type }) => blockName(type, uiLocale)).join(' · ')
  const differences: Difference[] = [
    { label: t('blocks.sections.name'), mine: mine.name, theirs: saved.name },
    ...[...new Set([...Object.keys(mine.texts), ...Object.keys(saved.texts)])].map((locale) => ({
      label: `${t('blocks.label')} (${languageName(locale)})`,
      same: JSON.stringify(mine.texts[locale]) === JSON.stringify(saved.texts[locale]),
      mine: blockNames(mine.texts[locale] ?? []),
      theirs: blockNames(saved.texts[locale] ?? []),
    })),
  ].filter((difference) => ('same' in difference ? !difference.same : difference.mine !== difference.theirs))
  return <StaleDialog differences={differences} {...actions} />
}
