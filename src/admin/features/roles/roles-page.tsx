import { useQuery } from '@tanstack/react-query'
import { Plus, ShieldCheck } from 'lucide-react'
import { baseRoleId, rights, roleName } from '../../../contract/rights.ts'
import type { Role } from '../../../contract/roles.ts'
import { LinkButton, TextLink } from '../../components/buttons.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, LoadingOrError } from '../../components/states.tsx'
import { useText } from '../../i18n.ts'
import { useRight } from '../sign-in/me.ts'
import { RightNames } from './right-names.tsx'
import styles from './roles.module.css'
import { roleReadRights, rolesQuery } from './roles.ts'

export function RolesPage() {
  const t = useText()
  const mayWrite = useRight('roles.write')
  return (
    <Page
      title={t('roles.title')}
      lead={t('roles.lead')}
      allowed={useRight(...roleReadRights)}
      actions={
        mayWrite && (
          <LinkButton variant="filled" to="/admin/roles/new" leftSection={<Plus />}>
            {t('roles.add')}
          </LinkButton>
        )
      }
    >
      <RoleList />
    </Page>
  )
}

function RoleList() {
  const t = useText()
  const { data: roles, error, refetch } = useQuery(rolesQuery)
  if (!roles) return <LoadingOrError error={error} refetch={refetch} rows={3} />
  if (roles.length === 0) return <Empty icon={ShieldCheck} title={t('roles.empty')} />
  return (
    <ul className={styles.roles}>
      {roles.map((role) => (
        <li key={role.id}>
          <RoleCard role={role} />
        </li>
      ))}
    </ul>
  )
}

function RoleCard({ role }: { role: Role }) {
  const t = useText()
  const hasAllRights = role.rights.length === rights.length
  return (
    <article className={styles.role}>
      <header>
        <h2>
          <TextLink to="/admin/roles/$id" params={{ id: String(role.id) }}>
            <bdi>{roleName(role, t)}</bdi>
          </TextLink>
        </h2>
        {role.id === baseRoleId ? (
          <span className="quiet">
            {t('roles.base')} · {t('roles.usersOf', { count: role.users })}
          </span>
        ) : (
          <TextLink to="/admin/users" search={{ roleId: [role.id] }}>
            <span className="visually-hidden">{roleName(role, t)}: </span>
            {t('roles.usersOf', { count: role.users })}
          </TextLink>
        )}
      </header>
      {role.id === baseRoleId && <p className="quiet flush">{t('roles.baseText')}</p>}
      <RightNames
        title={hasAllRights ? t('roles.all') : t('roles.count', { count: role.rights.length, total: rights.length })}
        rights={role.rights}
      />
    </article>
  )
}
