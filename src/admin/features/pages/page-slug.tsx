import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../i18n.ts'
import type { PageWork } from './page-work.ts'
import { slugQuery } from './pages.ts'
import { SlugField } from './slug-field.tsx'

/** The address of a page, and the one that its title would make. */
export function PageSlug({ work }: { work: PageWork }) {
  const t = useText()
  const { page, text, problems, change } = work
  const fixed = page.fixed || !page.can.change
  const [title] = useDebouncedValue(text.title.trim(), 250)
  const { data } = useQuery({ ...slugQuery(title, page.locale, page.id), enabled: !fixed && title !== '' })
  const suggested = data && data.slug !== text.slug ? data.slug : undefined
  const moved = page.path !== null && text.slug !== page.text.slug
  const help = page.fixed ? t('pages.slugFixed') : moved ? t('pages.slugMoved') : undefined
  return (
    <div data-page-field="slug">
      <SlugField
        locale={page.locale}
        value={text.slug}
        error={problems.slug}
        disabled={fixed}
        help={help}
        onChange={(slug) => change({ slug })}
        action={
          suggested && (
            <button type="button" className="as-link" onClick={() => change({ slug: suggested })}>
              {t('pages.slugSuggested', { slug: suggested })}
            </button>
          )
        }
      />
    </div>
  )
}
