import type { QueryClient } from '@tanstack/react-query'
import { LayoutTemplate, List } from 'lucide-react'
import { useContext, useId, useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { Locale } from '../../../contract/locales.ts'
import { hasRight } from '../../../contract/rights.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { lazyPart, usePreload } from '../../components/lazy-part.tsx'
import { readRemembered, useRemembered } from '../../components/remembered.ts'
import { ErrorBoundary, ErrorState, Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { EditorFrameContext } from '../blocks/canvas-tools.ts'
import { previewDataQuery, siteTextsQuery } from '../blocks/preview-data.ts'
import { useUnsavedProblems } from '../blocks/unsaved-problems.ts'
import { meQuery } from '../sign-in/me.ts'
import bars from './editor-bar.module.css'
import styles from './editor-screen.module.css'
import { bodyProblems, type PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'

// Each editor is loaded when it is shown.
const placeholder = <Loading rows={5} />
const BlockList = lazyPart(async () => (await import('../blocks/block-list.tsx')).BlockList, placeholder)
const BodyEditor = lazyPart(async () => (await import('../blocks/body-editor.tsx')).BodyEditor, placeholder)
const richText = { load: () => import('../blocks/rich-text-field.tsx') }

const storageKey = 'etalage.editor'
const editorModes = ['visual', 'list'] as const
type EditorMode = (typeof editorModes)[number]
const icons = { visual: LayoutTemplate, list: List }

/** The visual editor on a wide screen. */
const defaultMode = (): EditorMode => (matchMedia('(min-width: 62em)').matches ? 'visual' : 'list')

const opensVisually = () => (readRemembered(storageKey, editorModes) ?? defaultMode()) === 'visual'

type Body = Pick<PageEditor['text'], 'body'>

/** What is edited: a page, or the blocks of a section in one language. */
interface BlocksEditor {
  page: Pick<PageEditor['page'], 'locale'>
  text: Pick<PageEditor['text'], 'title' | 'slug' | 'body'>
  /** Error messages by path: `body.3.title`. */
  problems: PageEditor['problems']
  /**
   * Changes when a loaded draft or a version of somebody else replaced the text: then the undo history of the visual editor
   * starts again. Any other replacement is one undo step.
   */
  historyKey?: number
  /** Calls `update` synchronously with the current blocks. */
  change: (update: (current: Body) => Body) => void
}

/** The page's blocks, in the visual editor or as a plain list. Both edit the same value. */
export function BodySection({ editor }: { editor: BlocksEditor }) {
  const t = useText()
  usePreload([BlockList, richText])
  const { text, page, problems, historyKey = 0, change } = editor
  // Read once: resizing the window does not replace the editor, which would lose its undo history.
  const [mode, setMode] = useRemembered(storageKey, editorModes, defaultMode)
  const { bar } = useContext(EditorFrameContext)
  const saveProblems = useMemo(() => bodyProblems(problems), [problems])
  const props = {
    value: text.body,
    locale: page.locale,
    problems: useUnsavedProblems(text.body, saveProblems),
  }
  const changeBody = (update: (body: StoredBlock[]) => StoredBlock[]) =>
    change(({ body }) => ({ body: update(body) as typeof body }))
  return (
    <section className={styles.body} aria-label={t('pages.fields.body')} data-page-field="body" data-way={mode}>
      {bar && createPortal(<EditorModeChoice mode={mode} onChoose={setMode} />, bar)}
      <ErrorBoundary
        resetKey={mode}
        fallback={(error, retry) => (
          <ErrorState error={error} retry={retry}>
            {mode === 'visual' && t('blocks.visual.broken')}
          </ErrorState>
        )}
      >
        {mode === 'list' ? (
          <BlockList {...props} onChange={changeBody} />
        ) : (
          <BodyEditor
            {...props}
            saveProblems={saveProblems}
            historyKey={historyKey}
            onChange={changeBody}
            path={`/${text.slug}`}
            title={text.title}
          />
        )}
      </ErrorBoundary>
    </section>
  )
}

/** Chooses the visual editor, or the list of blocks, which needs no mouse and fits on a narrow screen. */
function EditorModeChoice({ mode, onChoose }: { mode: EditorMode; onChoose: (mode: EditorMode) => void }) {
  const t = useText()
  const name = useId()
  return (
    <fieldset className={bars.ways}>
      <legend className="visually-hidden">{t('blocks.mode.label')}</legend>
      {editorModes.map((option) => {
        const Icon = icons[option]
        return (
          <label key={option} title={t(`blocks.mode.${option}`)}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={option === mode}
              onChange={() => onChoose(option)}
            />
            <Icon size={20} />
            <span className="visually-hidden">{t(`blocks.mode.${option}`)}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** Loads the code of the visual editor, if pages open in it. */
export async function loadVisualEditor(): Promise<void> {
  if (opensVisually()) await BodyEditor.load()
}

/** Loads the code and data of the visual editor in parallel with the screen, if the page opens in it for this user. */
export function preloadVisualEditor(queries: QueryClient, id: number, locale: Locale): void {
  if (!opensVisually() || !hasRight(queries.getQueryData(meQuery.queryKey), ['pages.write'])) return
  // On failure the screen loads it again, and shows the error.
  loadVisualEditor().catch(() => {})
  void queries.prefetchQuery(siteTextsQuery(locale))
  queries.ensureQueryData(pageQuery(id, locale)).then(
    ({ text }) => queries.prefetchQuery(previewDataQuery(text.body, locale)),
    () => {},
  )
}
