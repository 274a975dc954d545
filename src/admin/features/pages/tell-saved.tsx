import type { Me } from '../../../contract/admin-start.ts'
import type { SavedPage } from '../../../contract/pages.ts'
import { tell } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { say } from '../../i18n.ts'

/** That it is saved, and whose changes came with it. */
export function tellSaved({ merged }: SavedPage, me: Pick<Me, 'name'>): void {
  if (!merged) {
    tell(say('pages.saved'))
    return
  }
  const own = merged.by === me.name
  tell(
    <>
      {say('pages.saved')} <Said text={own ? 'pages.mergedOwn' : 'pages.mergedWith'} name={<bdi>{merged.by}</bdi>} />
    </>,
  )
}
