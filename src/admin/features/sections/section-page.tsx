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
import { Unloaded } from '../../components/states.tsx'
import { type Difference, type StaleActions, StaleChoice, useVersionedForm } from '../../components/versioned-form.tsx'
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
  revertDisallowed,
} from '../blocks/block-locks.ts'
import { blockName } from '../blocks/block-names.tsx'
import { EditorFrame } from '../blocks/canvas-tools.ts'
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
        <Unloaded error={error} refetch={refetch} rows={6} />
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

/** The whole window, as for a page: the bar, notices, the blocks, and where the section is used. */
function SectionScreen({ section }: { section: Section }) {
  const t = useText()
  const queries = useQueryClient()
  const mainLocale = useMainLocale()
  const [locale, setLocale] = useState<Locale>(section.locales[0] ?? mainLocale)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  const [settings, setSettings] = useState(false)
  const frame = useMemo(
    () => ({ bar, closeSettings: () => setSettings(false), selectBlock() {}, registerSelectBlock() {} }),
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
  const work = useVersionedForm<Section, Values>({
    entity: section,
    valuesOf,
    async save(values, from) {
      setProblems(noProblems)
      try {
        return await putSection(section.id, values, from?.version)
      } catch (error) {
        if (error instanceof ApiRefusal) {
          const found = Object.fromEntries(
            error.problem.errors.map(({ path, message }) => [path.replace(/^texts\./, ''), message]),
          )
          setProblems(found)
          const inOther = Object.keys(values.texts).find((one) => hasProblem(found, one))
          if (inOther && !hasProblem(found, locale)) setLocale(inOther)
        }
        throw error
      }
    },
    // An error of a whole language has no field.
    fieldOf: (path) => (path === 'nl' || path === 'fa' || path.startsWith('texts') ? '' : path),
    onSaved(saved, before) {
      const isChanged = before !== undefined && saved.version !== before.version
      notify(t('blocks.sections.saved'), isChanged ? () => undo.mutate({ before, saved }) : undefined)
      updateCache(saved)
    },
  })
  const { form, failure, stale } = work
  const fixed = !section.can.change
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
  useHotkeys(fixed ? [] : [['mod+S', () => submit.current?.click()]], [], true)
  useEffect(() => {
    document.title = title
  }, [title])
  const inBody = useMemo(
    () =>
      Object.fromEntries(Object.entries(problemsUnder(problems, locale)).map(([path, text]) => [`body.${path}`, text])),
    [problems, locale],
  )
  return (
    <div className={screen.screen}>
      <UnsavedChangesGuard when={work.dirty} />
      <header className={bars.bar}>
        <Link to="/admin/sections" className={bars.back}>
          <ChevronLeft className="flip-in-rtl" size={20} />
          <span>{t('shell.sections')}</span>
        </Link>
        <div className={bars.titled}>
          <h1 className="visually-hidden">
            <bdi>{section.name}</bdi>
          </h1>
          {/* The fields of blocks are outside of it: Enter in one of them does not save. */}
          <form id={formId} onSubmit={work.onSubmit} noValidate>
            <TextInput
              aria-label={t('blocks.sections.name')}
              required
              disabled={fixed}
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
            aria-expanded={settings}
            aria-controls="gebruik"
            onClick={() => setSettings(!settings)}
          />
        </div>
        {!fixed && (
          <div className={bars.saving}>
            <Button
              variant="filled"
              ref={submit}
              type="submit"
              form={formId}
              loading={work.saving}
              aria-keyshortcuts="Control+S Meta+S"
            >
              {t('form.save')}
            </Button>
          </div>
        )}
      </header>
      <div className={screen.notices}>
        {fixed && <Alert>{t('blocks.sections.readOnly')}</Alert>}
        {!fixed && section.usedBy > 0 && <Alert>{t('blocks.sections.atOnce', { count: section.usedBy })}</Alert>}
        {section.locked && !fixed && <Alert>{t('blocks.lock.boundSection')}</Alert>}
        {body.length === 0 && !fixed && (
          <OtherLanguage
            texts={form.getValues().texts}
            locked={section.locked}
            onBegin={(blocks) => setBody(() => blocks)}
          />
        )}
        {failure && <SaveFailure key={failure.count} title={t('blocks.sections.notSaved')} {...failure} />}
      </div>
      <div className={screen.work}>
        <EditorFrame value={frame}>
          {fixed ? (
            <div className={screen.body} data-way="list">
              {body.map((block) => (
                <BlockTextView key={block.id} block={block} contentLocale={locale} />
              ))}
            </div>
          ) : (
            <SectionLocks section={section} locale={locale} body={body} change={(next) => setBody(() => next)}>
              <BodySection
                key={locale}
                work={{
                  page: { locale },
                  text: { title: '', slug: '', body: body as never },
                  problems: inBody,
                  change: (update) => setBody((now) => update({ body: now as never }).body as unknown as StoredBlock[]),
                }}
              />
            </SectionLocks>
          )}
        </EditorFrame>
        {settings && (
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

/** A section is locked as a whole when a page shows it inside a locked block. */
function SectionLocks(props: {
  section: Section
  locale: Locale
  body: StoredBlock[]
  change: (body: StoredBlock[]) => void
  children: ReactNode
}) {
  const { section, locale, body, change, children } = props
  const isEmpty = body.length === 0
  const main = useMainLocale()
  const locks = useMemo((): BlockLocks => {
    const { texts } = section
    const other = isEmpty ? undefined : (texts[main] ?? Object.values(texts)[0])
    const saved = (texts[locale] ?? other ?? []) as StoredBlock[]
    return { locks: [], userLock: { ...noLock, page: section.locked }, saved, onLock: undefined }
  }, [section, locale, isEmpty, main])
  const compared = useMemo(() => compareBlocks(locks, body), [locks, body])
  const changes: LockedChanges = {
    current: body,
    problems: compared.problems,
    putBack: (block) => change(block ? revertDisallowed(locks, body, block) : compared.body),
  }
  return (
    <LocksContext value={locks}>
      <LockedChangesContext value={changes}>{children}</LockedChangesContext>
    </LocksContext>
  )
}

function Languages({ locale, onChoose }: { locale: Locale; onChoose: (locale: Locale) => void }) {
  const t = useText()
  return (
    <fieldset className={`${bars.languages} ${bars.ways}`}>
      <legend className="visually-hidden">{t('blocks.sections.language')}</legend>
      {useSiteLanguages().map(({ locale: one, name }) => (
        <button
          key={one}
          type="button"
          lang={one}
          title={name}
          aria-pressed={one === locale}
          onClick={() => onChoose(one)}
        >
          <span aria-hidden>{one}</span>
          <span className="visually-hidden">{name}</span>
        </button>
      ))}
    </fieldset>
  )
}

/**
 * For a language without blocks, when the other has them: what visitors see there, and a start. In a locked section the
 * blocks keep their ids, by which they are compared.
 */
function OtherLanguage(props: { texts: Values['texts']; locked: boolean; onBegin: (body: StoredBlock[]) => void }) {
  const { texts, locked, onBegin } = props
  const t = useText()
  const languageIn = useLanguageIn()
  const other = [useMainLocale(), ...Object.keys(texts)].find((one) => (texts[one] ?? []).length > 0)
  if (other === undefined) return null
  const blocks = texts[other] ?? []
  const language = languageIn(other)
  return (
    <Alert>
      <p className="flush">{t('blocks.sections.fallbackTo', { language })}</p>
      <Button mt="sm" onClick={() => onBegin(locked ? blocks : blocks.map(withNewIds))}>
        {t('blocks.sections.beginWith', { language })}
      </Button>
    </Alert>
  )
}

/** The unsaved values beside those that somebody else saved meanwhile. */
function SectionConflict(props: StaleActions & { mine: Values; theirs: Section }) {
  const { mine, theirs, ...choices } = props
  const t = useText()
  const uiLocale = useLocale()
  const now = valuesOf(theirs)
  const listed = (body: StoredBlock[]) => body.map(({ type }) => blockName(type, uiLocale)).join(' · ')
  const differences: Difference[] = [
    { label: t('blocks.sections.name'), mine: mine.name, theirs: now.name },
    ...[...new Set([...Object.keys(mine.texts), ...Object.keys(now.texts)])].map((locale) => ({
      label: `${t('blocks.label')} (${languageName(locale)})`,
      same: JSON.stringify(mine.texts[locale]) === JSON.stringify(now.texts[locale]),
      mine: listed(mine.texts[locale] ?? []),
      theirs: listed(now.texts[locale] ?? []),
    })),
  ].filter((one) => ('same' in one ? !one.same : one.mine !== one.theirs))
  return <StaleChoice differences={differences} {...choices} />
}
