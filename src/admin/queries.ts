import { QueryClient } from '@tanstack/react-query'
import { Refused } from './client.ts'

/** Keeps what the API answered. A refusal is an answer and is not asked for again; a lost connection is. */
export const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a question fails, and says so, in place of waiting unseen.
        networkMode: 'always',
        retry: (count, error) => !(error instanceof Refused) && count < 2,
        retryDelay: 600,
      },
      mutations: { networkMode: 'always' },
    },
  })
