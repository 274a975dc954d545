import type { Right } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { type Difference, StaleChoice } from '../../components/stale-choice.tsx'
import { useText } from '../../i18n.ts'
import { labelOf } from './right-names.tsx'
import type { RoleValues } from './role-values.ts'

/** What stands in the form beside what somebody else saved meanwhile. */
export function StaleRole(props: {
  mine: RoleValues
  theirs: Role
  keepMine: () => void
  takeTheirs: () => void
  close: () => void
}) {
  const { mine, theirs, ...choices } = props
  const t = useText()
  const onlyIn = (one: readonly Right[], other: readonly Right[]) =>
    one.filter((right) => !other.includes(right)).map((right) => t(labelOf(right)))
  const list = (names: string[]) => (names.length > 0 ? `+ ${names.join(', ')}` : t('form.nothing'))
  const [added, theirsAdded] = [onlyIn(mine.rights, theirs.rights), onlyIn(theirs.rights, mine.rights)]
  const differences: Difference[] = [{ label: t('roles.name'), mine: mine.name, theirs: theirs.name }].filter(
    (one) => one.mine !== one.theirs,
  )
  if (added.length + theirsAdded.length > 0) {
    differences.push({ label: t('roles.rights'), mine: list(added), theirs: list(theirsAdded) })
  }
  return <StaleChoice differences={differences} {...choices} />
}
