import { answer, bareApi } from '../../client.ts'

/** Signs out; what fails on the way is no reason to stay. */
export async function signOut(): Promise<void> {
  const target = await answer(bareApi.logout.$post()).then(
    (gone) => gone.target,
    () => '/',
  )
  location.assign(target)
}
