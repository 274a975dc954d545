import type { Me } from '../../../contract/admin-start.ts'
import type { SavedPage } from '../../../contract/pages.ts'
import { siteTimeText } from '../../components/dates.ts'
import { tell } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { say, spokenLocale } from '../../i18n.ts'

/** That it is saved, whose changes came with it, what was planned and is no more, and the way back. */
export function tellSaved({ merged, droppedPlan }: SavedPage, me: Pick<Me, 'name'>, undo?: () => void): void {
  const own = merged?.by === me.name
  tell(
    <>
      {say('pages.saved')}
      {merged && (
        <>
          {' '}
          <Said text={own ? 'pages.mergedOwn' : 'pages.mergedWith'} name={<bdi>{merged.by}</bdi>} />
        </>
      )}
      {droppedPlan &&
        ` ${say('pages.planDropped', { date: siteTimeText(new Date(droppedPlan), spokenLocale(), say) })}`}
    </>,
    undo,
  )
}
