import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { api, parseResponse } from '../../client.ts'
import { Moment } from '../../components/dates.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { CopyField } from '../../components/form.tsx'
import { notifyFailure } from '../../components/notify.tsx'
import { Translated } from '../../components/translated.tsx'
import { useText } from '../../i18n.ts'
import type { PageEditor } from '../pages/page-editor.ts'
import type { RecoverableDraft } from './recoverable-draft.ts'

interface PreviewUrl {
  url: string
  endsAt: string
}

/**
 * Makes a shareable link to the draft as a page of the site. Unsent changes are sent first.
 * @param declined the draft that the user did not load, which the link shows as long as the server has it
 * @returns `make`, which makes the link, and the dialog that then shows it
 */
export function usePreviewLink(editor: PageEditor, declined: RecoverableDraft | undefined) {
  const t = useText()
  const [link, setLink] = useState<PreviewUrl>()
  const { id, locale } = editor.page
  const make = useMutation({
    async mutationFn(): Promise<PreviewUrl> {
      await editor.autosave.flush()
      return parseResponse(api.pages[':id'][':locale'].preview.$post({ param: { id: String(id), locale } }))
    },
    onSuccess: setLink,
    onError: (error) => notifyFailure(t('pages.preview.notMade'), error),
  })
  return {
    make: () => make.mutate(),
    isPending: make.isPending,
    dialog: link && (
      <Dialog title={t('pages.preview.title')} onClose={() => setLink(undefined)}>
        <p>
          <Translated text="pages.preview.text" until={<Moment at={link.endsAt} />} />
        </p>
        {declined?.stored && <Alert mb="md">{t('pages.preview.ofDeclined')}</Alert>}
        <CopyField label={t('pages.preview.link')} text={link.url} />
        <DialogActions onClose={() => setLink(undefined)} close={t('form.close')}>
          <Button
            variant="filled"
            component="a"
            href={link.url}
            target="_blank"
            rel="noopener"
            autoFocus
            rightSection={<ExternalLink />}
          >
            {t('pages.preview.open')}
          </Button>
        </DialogActions>
      </Dialog>
    ),
  }
}
