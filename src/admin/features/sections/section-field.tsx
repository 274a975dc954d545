import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import { useContext } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { isApiRefusal } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { copyBlocksOf } from './saved-sections.tsx'
import { ReplaceBlockContext, sectionQuery } from './sections.ts'

/** The section that a block shows, with a link to edit it and a button to replace the block by a copy. */
export function SectionField(props: { value: string; problem: string | undefined; locale: Locale }) {
  const { value: id, problem, locale } = props
  const t = useText()
  const mainLocale = useMainLocale()
  const replaceBlock = useContext(ReplaceBlockContext)
  const { data: section, error, refetch } = useQuery(sectionQuery(id))
  const detach = useMutation({
    // Loads the section again, because another user may have changed it.
    mutationFn: async () => (await refetch({ throwOnError: true })).data,
    onSuccess(currentSection) {
      if (!currentSection) return
      replaceBlock?.(copyBlocksOf(currentSection, locale, mainLocale))
      notify(t('blocks.sections.detached'))
    },
    onError: (reason) => notifyFailure(t('blocks.sections.notLoaded'), reason),
  })
  if (problem || isApiRefusal(error, 'not_found') || isApiRefusal(error, 'invalid')) {
    return (
      <Alert color="red" {...(problem && { role: 'alert' })}>
        {problem ?? t('blocks.sections.goneText')}
      </Alert>
    )
  }
  if (!section) return <LoadingOrError error={error} refetch={refetch} rows={1} />
  return (
    <div className="stack">
      <p className="flush">
        <strong>
          <bdi>{section.name}</bdi>
        </strong>
      </p>
      <p className="help">{t('blocks.sections.sharedHelp', { count: section.usedBy })}</p>
      <div className="row">
        <LinkButton to="/admin/sections/$section" params={{ section: id }}>
          {t('blocks.sections.edit')}
        </LinkButton>
        {replaceBlock && (
          <Button variant="subtle" leftSection={<Unlink />} loading={detach.isPending} onClick={() => detach.mutate()}>
            {t('blocks.sections.detach')}
          </Button>
        )}
      </div>
    </div>
  )
}
