import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ExternalLink, Eye } from 'lucide-react'
import { useState } from 'react'
import { answer, api } from '../../client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Moment } from '../../components/moment.tsx'
import { tellFailure } from '../../components/notify.tsx'
import { Said } from '../../components/said.tsx'
import { useText } from '../../i18n.ts'
import type { PageWork } from './page-work.ts'

interface Made {
  url: string
  endsAt: string
}

/** The draft on the real site, by a link that others can have too. What is typed is sent first. */
export function PreviewLink({ work }: { work: PageWork }) {
  const t = useText()
  const [made, setMade] = useState<Made>()
  const { id, locale } = work.page
  const make = useMutation({
    async mutationFn(): Promise<Made> {
      await work.keeper.flush()
      return answer(api.pages[':id'][':locale'].preview.$post({ param: { id: String(id), locale } }))
    },
    onSuccess: setMade,
    onError: (error) => tellFailure(t('pages.preview.notMade'), error),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<Eye size={18} aria-hidden />}
        loading={make.isPending}
        onClick={() => make.mutate()}
      >
        {t('pages.preview.make')}
      </Button>
      {made && (
        <Dialog title={t('pages.preview.title')} onClose={() => setMade(undefined)}>
          <p>
            <Said text="pages.preview.text" until={<Moment at={made.endsAt} />} />
          </p>
          <TextInput
            label={t('pages.preview.link')}
            dir="ltr"
            readOnly
            value={made.url}
            onFocus={(event) => event.currentTarget.select()}
            rightSection={<CopyButton text={made.url} />}
            rightSectionWidth={44}
          />
          <DialogActions>
            <Button variant="default" onClick={() => setMade(undefined)}>
              {t('form.close')}
            </Button>
            <Button
              component="a"
              href={made.url}
              target="_blank"
              rel="noopener"
              autoFocus
              rightSection={<ExternalLink size={18} aria-hidden />}
            >
              {t('pages.preview.open')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}
