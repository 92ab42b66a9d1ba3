import './styles/tokens.css'
import './styles/base.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { afterOutage } from './data/live.ts'

// The client repeats requests by itself.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchInterval: afterOutage },
    mutations: { retry: false },
  },
})
const root = document.getElementById('root')
if (!root) throw new Error('the page has no element for the console')
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
)
