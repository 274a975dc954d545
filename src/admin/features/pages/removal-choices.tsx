import { Checkbox } from '@mantine/core'
import type { Locale } from '../../../contract/locales.ts'
import { useText } from '../../i18n.ts'
import { LinksToPage } from '../links/links-to-page.tsx'

/** In the question before a page is taken off the site: what links to it, and what else can be done at once. */
export function RemovalChoices(props: {
  id: number
  /** The only language in which it is taken off. */
  locale: Locale | undefined
  /** Whether its addresses answer that it is gone; omitted where that is not offered. */
  onGone?: (chosen: boolean) => void
  /** Whether its items in the menus are removed too; omitted where that is not offered. */
  fromMenu?: boolean
  onFromMenu?: (chosen: boolean) => void
}) {
  const { id, locale, onGone, fromMenu, onFromMenu } = props
  const t = useText()
  return (
    <>
      <LinksToPage id={id} locale={locale} />
      {onGone && (
        <Checkbox
          label={t('pages.answerGone')}
          description={t('pages.answerGoneHelp')}
          onChange={(event) => onGone(event.currentTarget.checked)}
        />
      )}
      {onFromMenu && (
        <Checkbox
          label={t('pages.menu.remove')}
          defaultChecked={fromMenu ?? false}
          onChange={(event) => onFromMenu(event.currentTarget.checked)}
        />
      )}
    </>
  )
}
