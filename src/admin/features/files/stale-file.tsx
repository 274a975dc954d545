import type { Area, StoredFile } from '../../../contract/files.ts'
import { type Difference, StaleChoice } from '../../components/stale-choice.tsx'
import { useText } from '../../i18n.ts'
import { type FileValues, valuesOf } from './file-values.ts'

/** What stands in the form beside what somebody else saved meanwhile. */
export function StaleFile(props: {
  mine: FileValues
  theirs: StoredFile
  keepMine: () => void
  takeTheirs: () => void
  close: () => void
}) {
  const { mine, theirs, ...choices } = props
  const t = useText()
  const now = valuesOf(theirs)
  const focal = ({ focalX, focalY }: FileValues) => t('files.focalAt', { x: focalX, y: focalY })
  const crop = (area: Area | null) =>
    area ? t('files.cropAt', { width: area.width, height: area.height }) : t('files.cropNone')
  const differences: Difference[] = [
    { label: t('files.altNl'), mine: mine.altNl, theirs: now.altNl },
    { label: t('files.altFa'), mine: mine.altFa, theirs: now.altFa },
    { label: t('files.name'), mine: mine.name, theirs: now.name },
    { label: t('files.folder'), mine: mine.folder, theirs: now.folder },
    { label: t('files.focal'), mine: focal(mine), theirs: focal(now) },
    { label: t('files.crop'), mine: crop(mine.crop), theirs: crop(now.crop) },
  ].filter((one) => one.mine !== one.theirs)
  return <StaleChoice differences={differences} {...choices} />
}
