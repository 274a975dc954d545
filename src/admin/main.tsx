import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Admin } from './admin.tsx'
import { readStart } from './begin.ts'
import { meQuery } from './features/sign-in/me.ts'
import { speak } from './i18n.ts'
import { createQueries } from './queries.ts'
import { reloadWhenReplaced } from './replaced.ts'
import { createAdminRouter } from './router.ts'
import './styles/fonts.css'
import './styles/mantine.css'
import './styles/house.css'

reloadWhenReplaced()
const start = readStart()
const queries = createQueries()
queries.setQueryData(meQuery.queryKey, start.me)
await speak(start.me.locale)

const place = document.getElementById('admin')
if (!place) throw new Error('the page has no place for the admin')
createRoot(place).render(
  <StrictMode>
    <Admin start={start} queries={queries} router={createAdminRouter({ start, queries })} />
  </StrictMode>,
)
