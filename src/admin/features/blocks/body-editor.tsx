import { useQuery } from '@tanstack/react-query'
import { publicFileIdsIn } from '../../../contract/images.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { meQuery } from '../sign-in/me.ts'
import { previewDataQuery, renderContextOf, siteTextsQuery } from './preview-data.ts'
import { noProblems } from './problems.ts'
import type { BodyEditorProps } from './visual-editor.tsx'

/** To load it before it is shown. */
export const VisualEditor = lazyPart(async () => (await import('./visual-editor.tsx')).default, <Loading />)

/** The visual editor of a page's blocks, with the data that it needs. */
export function BodyEditor({ problems = noProblems, ...props }: BodyEditorProps) {
  const { value, locale, path } = props
  const { data: me } = useQuery(meQuery)
  const { data: parts, error, refetch, isPlaceholderData } = useQuery(previewDataQuery(value, locale))
  const { data: t, error: textsError, refetch: refetchTexts } = useQuery(siteTextsQuery(locale))
  const pendingImages = isPlaceholderData ? publicFileIdsIn(JSON.stringify(value)) : []
  if (error && !parts) return <Failed error={error} retry={() => void refetch()} />
  if (textsError && !t) return <Failed error={textsError} retry={() => void refetchTexts()} />
  if (!parts || !t || !me) return <Loading />
  return (
    <VisualEditor
      key={locale}
      {...props}
      problems={problems}
      renderContext={renderContextOf(parts, { locale, path, t, viewer: me, pendingImages })}
    />
  )
}
