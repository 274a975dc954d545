import { Button, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../i18n.ts'
import { Dialog, DialogActions } from './dialog.tsx'

export interface Difference {
  label: string
  mine: ReactNode
  theirs: ReactNode
}

/** Somebody saved meanwhile: what differs, and the choice. Until it is made nothing is written. */
export function StaleChoice(props: {
  differences: Difference[]
  keepMine: () => void
  takeTheirs: () => void
  close: () => void
}) {
  const { differences, keepMine, takeTheirs, close } = props
  const t = useText()
  return (
    <Dialog title={t('form.stale.title')} onClose={close}>
      <p>{t('form.stale.text')}</p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('form.stale.field')}</Table.Th>
            <Table.Th>{t('form.stale.mine')}</Table.Th>
            <Table.Th>{t('form.stale.theirs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ label, mine, theirs }) => (
            <Table.Tr key={label}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>
                <bdi>{mine}</bdi>
              </Table.Td>
              <Table.Td>
                <bdi>{theirs}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <DialogActions>
        <Button variant="default" onClick={takeTheirs}>
          {t('form.stale.takeTheirs')}
        </Button>
        <Button onClick={keepMine}>{t('form.stale.keepMine')}</Button>
      </DialogActions>
    </Dialog>
  )
}
