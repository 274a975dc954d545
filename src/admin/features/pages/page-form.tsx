import { Alert, Button, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { direction } from '../../../contract/locales.ts'
import type { PageInLocale } from '../../../contract/pages.ts'
import { focusFirstError } from '../../components/form-problems.ts'
import { KeepChanges } from '../../components/keep-changes.tsx'
import { useSoon } from '../../components/later.tsx'
import { tell, tellFailure } from '../../components/notify.tsx'
import bar from '../../components/save-bar.module.css'
import { NotSaved } from '../../components/save-bar.tsx'
import { Beside, Section } from '../../components/section.tsx'
import { useText } from '../../i18n.ts'
import { holdWork } from '../../replaced.ts'
import { BeginWithCopy } from './begin-with-copy.tsx'
import { BodySection } from './body-section.tsx'
import { Collisions } from './collisions-later.ts'
import { DraftQuestion } from './draft-question.tsx'
import { DraftStatus, DraftTrouble } from './draft-status.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import type { OfferedDraft } from './open-draft.ts'
import { OthersHere, SavedMeanwhile } from './others-here.tsx'
import styles from './page-form.module.css'
import { PageSlug } from './page-slug.tsx'
import { PageStateSection, PlanDialog } from './page-state.tsx'
import { type PageWork, usePageWork } from './page-work.ts'
import { SeoSection } from './seo-section.tsx'
import { usePresence } from './use-presence.ts'

const examples = { load: () => import('./ask-about-examples.tsx') }

/** A page in one language: all that can be said of it, its draft, and who else is at it. */
export function PageForm({ page, offered }: { page: PageInLocale; offered: OfferedDraft | undefined }) {
  const t = useText()
  const work = usePageWork(page)
  const [offer, setOffer] = useState(offered)
  const { draft, failure, stale } = work
  const presence = usePresence(page.id, page.locale, work.keeper.tab.editor, page.version)
  const fixed = !page.can.change
  useSoon([examples, PlanDialog, Collisions])
  useEffect(() => (work.dirty ? holdWork() : undefined), [work.dirty])
  useHotkeys(fixed ? [] : [['mod+S', () => void work.save(false)]], [])
  useEffect(() => {
    if (failure && Object.keys(work.problems).length > 0) focusFirstError()
  }, [failure, work.problems])
  return (
    <>
      {/* What lies in the browser is not lost by leaving; what only this tab has, is. */}
      <KeepChanges when={draft.phase === 'failed' && !draft.kept} />
      {offer && <DraftQuestion offer={offer} work={work} over={() => setOffer(undefined)} />}
      <OthersHere presence={presence} />
      <Beside
        main={
          <>
            <LanguageTabs id={page.id} locale={page.locale} />
            {fixed && <Alert>{t('pages.readOnly')}</Alert>}
            {page.version === 0 && !fixed && !work.dirty && <BeginWithCopy work={work} />}
            <SavedMeanwhile page={page} version={work.baseVersion} />
            <DraftTrouble draft={draft} retry={() => work.keeper.retry()} />
            {failure && <NotSaved key={failure.count} title={t('pages.notSaved')} {...failure} />}
            <Section title={t('pages.about')}>
              <div data-page-field="title">
                <TextInput
                  label={t('pages.fields.title')}
                  dir={direction[page.locale]}
                  lang={page.locale}
                  required
                  disabled={fixed}
                  autoComplete="off"
                  error={work.problems.title}
                  value={work.text.title}
                  onChange={(event) => work.change({ title: event.currentTarget.value })}
                />
              </div>
              <PageSlug work={work} />
            </Section>
          </>
        }
        aside={<PageStateSection work={work} />}
      />
      {/* As wide as there is room: the page is drawn in it. */}
      <BodySection work={work} />
      <SeoSection work={work} fixed={fixed} />
      {!fixed && <Saving work={work} />}
      {stale && <Collisions {...stale} locale={page.locale} />}
    </>
  )
}

/** The end of the form. Who may publish does both at once; saving alone leaves what visitors see as it is. */
function Saving({ work }: { work: PageWork }) {
  const t = useText()
  const { page, saving, draft } = work
  const mayPublish = page.can.publish
  const publish = async () => {
    // It warns, and no more: where it did not come, that is no reason not to save.
    const warning = await examples.load().catch(() => undefined)
    if (!warning || (await warning.askAboutExamples(work))) void work.save(true)
  }
  const discard = async () => {
    try {
      const thrown = await work.discard()
      tell(t('pages.draft.thrownAway'), () => work.change(thrown))
    } catch (error) {
      tellFailure(t('pages.draft.notThrownAway'), error)
    }
  }
  return (
    <div className={`${bar.bar} ${styles.saving}`}>
      {mayPublish && (
        <Button loading={saving === 'publish'} disabled={saving === 'save'} onClick={() => void publish()}>
          {t('pages.saveAndPublish')}
        </Button>
      )}
      <Button
        variant={mayPublish ? 'default' : 'filled'}
        loading={saving === 'save'}
        disabled={saving === 'publish'}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={() => void work.save(false)}
      >
        {t('form.save')}
      </Button>
      {work.dirty && (
        <Button variant="subtle" onClick={() => void discard()}>
          {t('pages.draft.throwAway')}
        </Button>
      )}
      <DraftStatus draft={draft} />
    </div>
  )
}
