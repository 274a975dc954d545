import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tellFailure } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'
import type { PageWork } from './page-work.ts'
import { pageQuery } from './pages.ts'

/** A language that has no text yet can begin with what the other one says. */
export function BeginWithCopy({ work }: { work: PageWork }) {
  const t = useText()
  const queries = useQueryClient()
  const { page } = work
  const from = page.locale === 'nl' ? 'fa' : 'nl'
  const copy = useMutation({
    mutationFn: () => queries.fetchQuery(pageQuery(page.id, from)),
    onSuccess: ({ text }) => work.fill({ ...text, slug: work.text.slug || text.slug }),
    onError: (error) => tellFailure(t('pages.notCopied'), error),
  })
  return (
    <Alert title={t(`pages.begin.${page.locale}`)}>
      <p className="flush">{t('pages.begin.text')}</p>
      <Button variant="default" mt="sm" loading={copy.isPending} onClick={() => copy.mutate()}>
        {t(`pages.begin.copy_${from}`)}
      </Button>
    </Alert>
  )
}
