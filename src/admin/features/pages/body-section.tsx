import { useState } from 'react'
import { Choices } from '../../components/choices.tsx'
import { lazyPart, usePreload } from '../../components/lazy-part.tsx'
import { Section } from '../../components/page.tsx'
import { ErrorBoundary, Failed, Loading } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { bodyProblems, type PageEditor } from './page-editor.ts'

// Each editor is loaded when it is shown.
const waiting = <Loading rows={5} />
const BlockList = lazyPart(async () => (await import('../blocks/block-list.tsx')).BlockList, waiting)
const BodyEditor = lazyPart(async () => (await import('../blocks/body-editor.tsx')).BodyEditor, waiting)
const richText = { load: () => import('../blocks/rich-text-field.tsx') }

const ways = ['visual', 'list'] as const
type Way = (typeof ways)[number]
const storageKey = 'etalage.editor'

/** The page's blocks, in the visual editor or as a plain list. Both edit the same value. */
export function BodySection({ work }: { work: PageEditor }) {
  const t = useText()
  usePreload([BlockList, richText])
  const { text, page, problems, change } = work
  // Read once: resizing the window does not replace the editor, which would lose its undo history.
  const [way, setWay] = useState(() => readWay() ?? (matchMedia('(min-width: 62em)').matches ? 'visual' : 'list'))
  const choose = (one: Way) => {
    setWay(one)
    storeWay(one)
  }
  const props = {
    value: text.body,
    locale: page.locale,
    problems: bodyProblems(problems),
    onChange: (body: unknown[]) => change({ body: body as PageEditor['text']['body'] }),
  }
  return (
    <Section title={t('pages.fields.body')} lead={t('pages.bodyHelp')}>
      <Choices
        legend={<span className="unseen">{t('blocks.mode.label')}</span>}
        options={ways.map((value) => ({ value, label: t(`blocks.mode.${value}`) }))}
        chosen={[way]}
        onChoose={([one]) => choose(one ?? way)}
      />
      <div data-page-field="body">
        <ErrorBoundary
          resetKey={way}
          fallback={(error, again) => (
            <Failed error={error} retry={again}>
              {way === 'visual' && t('blocks.visual.broken')}
            </Failed>
          )}
        >
          {way === 'list' ? (
            <BlockList {...props} />
          ) : (
            <BodyEditor {...props} path={`/${text.slug}`} title={text.title} />
          )}
        </ErrorBoundary>
      </div>
    </Section>
  )
}

/** The last chosen editor, also for other pages. */
function readWay(): Way | undefined {
  try {
    return ways.find((way) => way === localStorage.getItem(storageKey))
  } catch {
    return undefined
  }
}

function storeWay(way: Way): void {
  try {
    localStorage.setItem(storageKey, way)
  } catch {
    // Storage is not available: the default editor is used.
  }
}
