import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Admin, createAdminRouter, createQueryClient } from './admin.tsx'
import { setShownUser } from './client.ts'
import { problemsQuery, storeSendsMail } from './components/states.tsx'
import { meQuery, refetchMeOnFocus } from './features/sign-in/me.ts'
import { loadLanguage } from './i18n.ts'
import { reloadOnNewVersion } from './new-version.ts'
import { storeSiteLanguages } from './site-languages.ts'
import './styles/mantine.css'
import './styles/base.css'
import { type AdminInitialData, adminInitialDataId } from '../contract/admin-start.ts'

reloadOnNewVersion()
const initialData = readInitialData()
setShownUser(initialData.me.id)
const queries = createQueryClient()
queries.setQueryData(meQuery.queryKey, initialData.me)
queries.setQueryData(problemsQuery.queryKey, initialData.problems)
storeSiteLanguages(queries, initialData.languages)
storeSendsMail(queries, initialData.sendsMail)
refetchMeOnFocus(queries)
await loadLanguage(initialData.me.locale)

const root = document.getElementById('admin')
if (!root) throw new Error('element #admin is missing')
createRoot(root).render(
  <StrictMode>
    <Admin initialData={initialData} queries={queries} router={createAdminRouter({ initialData, queries })} />
  </StrictMode>,
)

/** Reads the data that the server embedded in the page. */
function readInitialData(): AdminInitialData {
  return JSON.parse(document.getElementById(adminInitialDataId)?.textContent ?? '') as AdminInitialData
}
