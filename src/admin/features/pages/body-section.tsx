import { useState } from 'react'
import { Boundary } from '../../components/boundary.tsx'
import { Choices } from '../../components/choices.tsx'
import { later, useSoon } from '../../components/later.tsx'
import { Section } from '../../components/section.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { bodyProblems } from './page-problems.ts'
import type { PageWork } from './page-work.ts'

// Only what is looked at needs to come.
const waiting = <Waiting rows={5} />
const BlockList = later(async () => (await import('../blocks/block-list.tsx')).BlockList, waiting)
const BodyEditor = later(async () => (await import('../blocks/body-editor.tsx')).BodyEditor, waiting)
const richText = { load: () => import('../blocks/rich-text-field.tsx') }

const ways = ['visual', 'list'] as const
type Way = (typeof ways)[number]
const kept = 'etalage.editor'

/** What stands on the page: as visitors will see it, or block by block as a plain list. Both change the same. */
export function BodySection({ work }: { work: PageWork }) {
  const t = useText()
  useSoon([BlockList, richText])
  const { text, page, problems, change } = work
  // Chosen once: a window that is made narrow does not take the editor away, with what it could undo.
  const [way, setWay] = useState(() => readWay() ?? (matchMedia('(min-width: 62em)').matches ? 'visual' : 'list'))
  const choose = (one: Way) => {
    setWay(one)
    keepWay(one)
  }
  const props = {
    value: text.body,
    locale: page.locale,
    problems: bodyProblems(problems),
    onChange: (body: unknown[]) => change({ body: body as PageWork['text']['body'] }),
  }
  return (
    <Section title={t('pages.fields.body')} lead={t('pages.bodyHelp')}>
      <Choices
        legend={<span className="unseen">{t('blocks.way.label')}</span>}
        options={ways.map((value) => ({ value, label: t(`blocks.way.${value}`) }))}
        chosen={[way]}
        onChoose={([one]) => choose(one ?? way)}
      />
      <div data-page-field="body">
        <Boundary
          when={way}
          instead={(error, again) => (
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
        </Boundary>
      </div>
    </Section>
  )
}

/** The way that somebody chose holds for the next page too. */
function readWay(): Way | undefined {
  try {
    return ways.find((way) => way === localStorage.getItem(kept))
  } catch {
    return undefined
  }
}

function keepWay(way: Way): void {
  try {
    localStorage.setItem(kept, way)
  } catch {
    // A browser that keeps nothing starts with the usual way.
  }
}
