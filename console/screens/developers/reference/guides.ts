import { type UseQueryResult, useQuery } from '@tanstack/react-query'

/** The guides, which the service keeps as Markdown. */
export function useGuides(): UseQueryResult<{ name: string; title: string }[]> {
  return useQuery({
    queryKey: ['guides'],
    queryFn: async () => (await read('/docs/guides')).json() as Promise<{ name: string; title: string }[]>,
    staleTime: 'static',
  })
}

/** A page of the documentation: `guides/webhooks`, or `client`. */
export function usePage(name: string): UseQueryResult<string> {
  return useQuery({
    queryKey: ['page', name],
    queryFn: async () => (await read(`/docs/${name}.md`)).text(),
    staleTime: 'static',
  })
}

async function read(path: string): Promise<Response> {
  const response = await fetch(path)
  if (response.status === 404) throw new Error('There is no page with this name.')
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return response
}

/**
 * The screen of a page that another page links to; undefined for files that the service does not serve. `folder` is the
 * folder of the linking page: `guides` or nothing.
 */
export function pageTarget(folder: string, to: string): string | undefined {
  const [path = '', anchor] = to.split('#')
  const end = anchor ? `#${anchor}` : ''
  const full = new URL(path, `http://docs/docs/${folder && `${folder}/`}`).pathname
  if (full === '/client/api.md') return `/reference/pages/client-api${end}`
  const [, guides, name] = /^\/docs\/(guides\/)?([\w-]+)\.md$/.exec(full) ?? []
  return name && `/reference/${guides ? 'guides' : 'pages'}/${name}${end}`
}
