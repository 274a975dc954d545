import { useQuery } from '@tanstack/react-query'
import { addressesIn } from '../../../contract/pictures.ts'
import { later } from '../../components/later.tsx'
import { Failed, Waiting } from '../../components/states.tsx'
import { meQuery } from '../sign-in/me.ts'
import { noProblems } from './problems.ts'
import { sceneOf, sceneQuery, siteWordsQuery } from './scene.ts'
import type { BodyEditorProps } from './visual-editor.tsx'

const VisualEditor = later(async () => (await import('./visual-editor.tsx')).default, <Waiting />)

/** The blocks of a page as visitors will see them, changed where they stand. */
export function BodyEditor({ problems = noProblems, ...props }: BodyEditorProps) {
  const { value, locale, path } = props
  const { data: me } = useQuery(meQuery)
  const { data: parts, error, refetch, isPlaceholderData } = useQuery(sceneQuery(value))
  const { data: t, error: wordless, refetch: loadAgain } = useQuery(siteWordsQuery(locale))
  const asked = isPlaceholderData ? addressesIn(JSON.stringify(value)) : []
  if (error && !parts) return <Failed error={error} retry={() => void refetch()} />
  if (wordless && !t) return <Failed error={wordless} retry={() => void loadAgain()} />
  if (!parts || !t || !me) return <Waiting />
  return (
    <VisualEditor
      key={locale}
      {...props}
      problems={problems}
      scene={sceneOf(parts, { locale, path, t, viewer: me, asked })}
    />
  )
}
