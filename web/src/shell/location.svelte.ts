// Where the reader is: plain paths and query strings, so that every view is a link.
function read() {
  return { path: decodeURI(location.pathname), query: new URLSearchParams(location.search) };
}

let here = $state.raw(read());

export const place = {
  get path() {
    return here.path;
  },
  get query() {
    return here.query;
  },
};

export function go(url: string, replace = false): void {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  here = read();
  if (!replace) scrollTo(0, 0);
}

/** Changes parts of the query and leaves the rest; an empty value takes a part away. */
export function setQuery(changes: Record<string, string | undefined>, replace = true): void {
  const query = new URLSearchParams(here.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : ''), replace);
}

/** Lets plain links to this server change the page without loading it again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || link.pathname === '/metrics') return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

addEventListener('popstate', () => {
  here = read();
});
