import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { baseRoleId, holdsAll } from '../../../contract/rights.ts'
import type { User } from '../../../contract/users.ts'
import { ChosenBar } from '../../components/chosen-bar.tsx'
import { NotLoaded } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { rolesQuery } from '../roles/roles.ts'
import { useMe } from '../sign-in/me.ts'
import { type useBlocking, useGivingRole } from './change-many.ts'
import styles from './chosen-users.module.css'
import { useExport } from './export-users.ts'

/** What can be done with several at once. */
export function ChosenUsers(props: { users: User[]; block: ReturnType<typeof useBlocking>; done: () => void }) {
  const { users, block, done } = props
  const t = useText()
  const save = useExport()
  const tooMany = users.length > limits.manyMost
  const blocking = (blocked: boolean) => {
    block(users, blocked)
    done()
  }
  return (
    <ChosenBar
      label={t('users.many')}
      count={users.length}
      done={done}
      remark={tooMany ? t('users.tooManyChosen', { most: limits.manyMost }) : undefined}
    >
      <Button variant="default" disabled={tooMany} onClick={() => blocking(true)}>
        {t('users.block')}
      </Button>
      <Button variant="default" disabled={tooMany} onClick={() => blocking(false)}>
        {t('users.unblock')}
      </Button>
      <GiveRole users={users} fixed={tooMany} done={done} />
      <Button
        variant="default"
        disabled={tooMany}
        loading={save.isPending}
        onClick={() => save.mutate({ ids: users.map(({ id }) => id) })}
      >
        {t('users.export')}
      </Button>
    </ChosenBar>
  )
}

const none = 'none'

function GiveRole({ users, fixed, done }: { users: User[]; fixed: boolean; done: () => void }) {
  const t = useText()
  const me = useMe()
  const { data: roles = [], error, refetch } = useQuery(rolesQuery)
  const [chosen, choose] = useState('')
  const giving = useGivingRole()
  const give = () => {
    const role = roles.find(({ id }) => String(id) === chosen) ?? null
    giving.mutate({ users, role }, { onSuccess: done })
  }
  return (
    <div className={styles.give}>
      <NativeSelect
        aria-label={t('users.giveRole')}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          { value: '', label: t('users.chooseRole') },
          ...roles
            .filter((role) => role.id !== baseRoleId)
            .map((role) => ({ value: String(role.id), label: role.name, disabled: !holdsAll(me, role.rights) })),
          { value: none, label: t('users.noRole') },
        ]}
      />
      <Button variant="default" disabled={fixed || chosen === ''} loading={giving.isPending} onClick={give}>
        {t('users.giveRole')}
      </Button>
      {error && <NotLoaded text={t('roles.notLoaded')} retry={() => void refetch()} />}
    </div>
  )
}
