import { Alert, Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import { useContext } from 'react'
import type { Locale } from '../../../contract/locales.ts'
import { isApiRefusal } from '../../client.ts'
import { LinkButton } from '../../components/buttons.tsx'
import { notify, notifyFailure } from '../../components/notify.tsx'
import { Unloaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useMainLocale } from '../../site-languages.ts'
import { copiesOf } from './saved-sections.tsx'
import { ReplaceBlockContext, sectionQuery } from './sections.ts'

/** The section that a block shows: where it is edited, and how the block becomes a copy. */
export function SectionField(props: { value: string; problem: string | undefined; locale: Locale }) {
  const { value: id, problem, locale } = props
  const t = useText()
  const main = useMainLocale()
  const replace = useContext(ReplaceBlockContext)
  const query = useQuery(sectionQuery(id))
  const { data: section, error, refetch } = query
  const detach = useMutation({
    // Loads the section again, because another user may have changed it.
    mutationFn: async () => (await refetch({ throwOnError: true })).data,
    onSuccess(now) {
      if (!now) return
      replace?.(copiesOf(now, locale, main))
      notify(t('blocks.sections.detached'))
    },
    onError: (failure) => notifyFailure(t('blocks.sections.notLoaded'), failure),
  })
  if (problem || isApiRefusal(error, 'not_found') || isApiRefusal(error, 'invalid')) {
    return <Alert color="red">{problem ?? t('blocks.sections.goneText')}</Alert>
  }
  if (!section) return <Unloaded error={error} refetch={refetch} rows={1} />
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
        {replace && (
          <Button variant="subtle" leftSection={<Unlink />} loading={detach.isPending} onClick={() => detach.mutate()}>
            {t('blocks.sections.detach')}
          </Button>
        )}
      </div>
    </div>
  )
}
