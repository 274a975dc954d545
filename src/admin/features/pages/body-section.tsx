import type { QueryClient } from '@tanstack/react-query'
import { LayoutTemplate, List } from 'lucide-react'
import { useContext, useId, useMemo } from 'react'
import { createPortal } from 'react-dom'
import type { Locale } from '../../../contract/locales.ts'
import { hasRight } from '../../../contract/rights.ts'
import type { StoredBlock } from '../../../contract/site-config.ts'
import { lazyPart, usePreload } from '../../components/lazy-part.tsx'
import { readRemembered, useRemembered } from '../../components/remembered.ts'
import { ErrorBoundary, Failed, Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { EditorFrame } from '../blocks/canvas-tools.ts'
import { previewDataQuery, siteTextsQuery } from '../blocks/preview-data.ts'
import { meQuery } from '../sign-in/me.ts'
import bars from './editor-bar.module.css'
import styles from './editor-screen.module.css'
import { bodyProblems, type PageEditor } from './page-editor.ts'
import { pageQuery } from './pages.ts'

// Each editor is loaded when it is shown.
const waiting = <Loading rows={5} />
const BlockList = lazyPart(async () => (await import('../blocks/block-list.tsx')).BlockList, waiting)
/** To load it before it is shown. */
const BodyEditor = lazyPart(async () => (await import('../blocks/body-editor.tsx')).BodyEditor, waiting)
const richText = { load: () => import('../blocks/rich-text-field.tsx') }

const storageKey = 'etalage.editor'
const ways = ['visual', 'list'] as const
type Way = (typeof ways)[number]
const icons = { visual: LayoutTemplate, list: List }

const usualWay = (): Way => (matchMedia('(min-width: 62em)').matches ? 'visual' : 'list')

/** Whether a page opens in the visual editor. */
const opensVisually = () => (readRemembered(storageKey, ways) ?? usualWay()) === 'visual'

/** A page, or something else with blocks. */
interface BodyWork {
  page: Pick<PageEditor['page'], 'locale'>
  text: Pick<PageEditor['text'], 'title' | 'slug' | 'body'>
  /** By path: `body.3.title`. */
  problems: PageEditor['problems']
  /** Another one when another text replaced this one, which undo does not take back. */
  historyKey?: number
  /** Calls the update at once with the body as it is then. */
  change: (update: (now: Pick<PageEditor['text'], 'body'>) => Pick<PageEditor['text'], 'body'>) => void
}

/** The page's blocks, in the visual editor or as a plain list. Both edit the same value. */
export function BodySection({ work }: { work: BodyWork }) {
  const t = useText()
  usePreload([BlockList, richText])
  const { text, page, problems, historyKey = 0, change } = work
  // Read once: resizing the window does not replace the editor, which would lose its undo history.
  const [way, setWay] = useRemembered(storageKey, ways, usualWay)
  const { bar } = useContext(EditorFrame)
  const props = {
    value: text.body,
    locale: page.locale,
    problems: useMemo(() => bodyProblems(problems), [problems]),
  }
  const changeBody = (update: (body: StoredBlock[]) => StoredBlock[]) =>
    change(({ body }) => ({ body: update(body) as typeof body }))
  return (
    <section className={styles.body} aria-label={t('pages.fields.body')} data-page-field="body" data-way={way}>
      {bar && createPortal(<WayChoice way={way} onChoose={setWay} />, bar)}
      <ErrorBoundary
        resetKey={way}
        fallback={(error, again) => (
          <Failed error={error} retry={again}>
            {way === 'visual' && t('blocks.visual.broken')}
          </Failed>
        )}
      >
        {way === 'list' ? (
          <BlockList {...props} onChange={changeBody} />
        ) : (
          <BodyEditor
            {...props}
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

/** On the page, or as a list of blocks, which needs no mouse and little room. */
function WayChoice({ way, onChoose }: { way: Way; onChoose: (way: Way) => void }) {
  const t = useText()
  const name = useId()
  return (
    <fieldset className={bars.ways}>
      <legend className="visually-hidden">{t('blocks.mode.label')}</legend>
      {ways.map((one) => {
        const Icon = icons[one]
        return (
          <label key={one} title={t(`blocks.mode.${one}`)}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={one === way}
              onChange={() => onChoose(one)}
            />
            <Icon size={20} />
            <span className="visually-hidden">{t(`blocks.mode.${one}`)}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** Loads the code of the canvas, if pages open on it. */
export async function loadEditor(): Promise<void> {
  if (opensVisually()) await BodyEditor.load()
}

/** Begins all that the canvas needs at once, while the screen and its data are under way. */
export function preloadEditor(queries: QueryClient, id: number, locale: Locale): void {
  if (!opensVisually() || !hasRight(queries.getQueryData(meQuery.queryKey), ['pages.write'])) return
  // On failure the screen loads it again, and shows the error.
  loadEditor().catch(() => {})
  void queries.prefetchQuery(siteTextsQuery(locale))
  queries.ensureQueryData(pageQuery(id, locale)).then(
    ({ text }) => queries.prefetchQuery(previewDataQuery(text.body, locale)),
    () => {},
  )
}
