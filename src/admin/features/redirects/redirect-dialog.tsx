import { Alert, Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewRedirect, Redirect } from '../../../contract/pages.ts'
import { answer, api, Refused } from '../../client.ts'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { focusFirstError, showProblems } from '../../components/form-problems.ts'
import { reasonOf, tell } from '../../components/notify.tsx'
import { useText } from '../../i18n.ts'

/** One form for a redirect that is there and for a new one. */
export function RedirectDialog({ known, close }: { known?: Redirect; close: () => void }) {
  const t = useText()
  const queries = useQueryClient()
  const [failure, setFailure] = useState<unknown>()
  const form = useForm<NewRedirect & Record<string, unknown>>({
    initialValues: { from: known?.from ?? '/', to: known?.to ?? '/' },
  })
  const save = useMutation({
    mutationFn: ({ from, to }: NewRedirect): Promise<Redirect> =>
      known
        ? answer(
            api.redirects[':id'].$put({
              param: { id: String(known.id) },
              json: { from, to, version: known.version },
            }),
          )
        : answer(api.redirects.$post({ json: { from, to } })),
    onSuccess() {
      tell(t('redirects.saved'))
      close()
    },
    onError(error) {
      const unplaced = error instanceof Refused ? showProblems(error, form) : []
      const atField = error instanceof Refused && error.problem.errors.length > unplaced.length
      setFailure(atField ? undefined : error)
      focusFirstError('dialog')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['redirects'] }),
  })
  const field = { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, required: true } as const
  return (
    <Dialog title={t(known ? 'redirects.change' : 'redirects.add')} onClose={close}>
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        {failure !== undefined && (
          <Alert color="red" role="alert" title={t('redirects.notSaved')}>
            {reasonOf(failure)}
          </Alert>
        )}
        <TextInput
          label={t('redirects.from')}
          description={t('redirects.fromHelp')}
          autoFocus
          {...field}
          {...form.getInputProps('from')}
        />
        <TextInput
          label={t('redirects.to')}
          description={t('redirects.toHelp')}
          {...field}
          {...form.getInputProps('to')}
        />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('form.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('form.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
