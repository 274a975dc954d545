import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { publicFileIdsIn } from '../../../contract/file-urls.ts'
import { Failed, Loading } from '../../components/states.tsx'
import { meQuery } from '../sign-in/me.ts'
import { previewDataQuery, renderContextOf, siteTextsQuery } from './preview-data.ts'
import { noProblems } from './problems.ts'
import VisualEditor, { type BodyEditorProps } from './visual-editor.tsx'

/** The visual editor of a page's blocks, with the data that it needs. */
export function BodyEditor({ problems = noProblems, ...props }: BodyEditorProps) {
  const { value, locale, path } = props
  const { data: me } = useQuery(meQuery)
  const { data: parts, error, refetch, isPlaceholderData } = useQuery(previewDataQuery(value, locale))
  const { data: t, error: textsError, refetch: refetchTexts } = useQuery(siteTextsQuery(locale))
  const pending = isPlaceholderData ? publicFileIdsIn(JSON.stringify(value)).join() : ''
  // The same for each letter that is typed, so that only the changed block is rendered again.
  const renderContext = useMemo(
    () =>
      parts &&
      t &&
      me &&
      renderContextOf(parts, { locale, path, t, viewer: me, pendingImages: pending ? pending.split(',') : [] }),
    [parts, locale, path, t, me, pending],
  )
  if (error && !parts) return <Failed error={error} retry={() => void refetch()} />
  if (textsError && !t) return <Failed error={textsError} retry={() => void refetchTexts()} />
  if (!renderContext) return <Loading />
  return <VisualEditor key={locale} {...props} problems={problems} renderContext={renderContext} />
}
