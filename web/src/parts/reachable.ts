// A table wider than its place scrolls; whoever has only a keyboard must be able to reach it then.
export function reachable(element: HTMLElement) {
  const look = () => {
    const wide = element.scrollWidth > element.clientWidth + 1;
    if (wide) {
      element.tabIndex = 0;
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', 'Table, scrolls sideways');
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) element.removeAttribute(name);
    }
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  if (element.firstElementChild) observer.observe(element.firstElementChild);
  return { destroy: () => observer.disconnect() };
}
