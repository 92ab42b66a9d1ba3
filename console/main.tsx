import './styles/tokens.css'
import './styles/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Reading } from './components/feedback/empty.tsx'
import { afterOutage } from './data/live.ts'
import { isCommandSignIn } from './data/people/person.ts'

// The client repeats requests by itself.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchInterval: afterOutage },
    mutations: { retry: false },
  },
})
const CommandSignIn = lazy(async () => ({ default: (await import('./shell/command-sign-in.tsx')).CommandSignIn }))
const root = document.getElementById('root')
if (!root) throw new Error('the page has no element for the console')
createRoot(root).render(
  <QueryClientProvider client={queries}>
    {isCommandSignIn() ? (
      <Suspense fallback={<Reading />}>
        <CommandSignIn />
      </Suspense>
    ) : (
      <App />
    )}
  </QueryClientProvider>,
)
