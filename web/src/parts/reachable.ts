// A table wider than its place scrolls: whoever has only a keyboard must be able to reach it then, and whoever only looks
// must see that it goes on. base.css fades the edges that `data-more` names and keeps the first column in sight.
export function reachable(element: HTMLElement) {
  const look = () => {
    const hidden = element.scrollWidth - element.clientWidth;
    if (hidden > 1) {
      element.tabIndex = 0;
      element.setAttribute('role', 'group');
      element.setAttribute('aria-label', 'Table, scrolls sideways');
      const before = element.scrollLeft > 1;
      const after = element.scrollLeft < hidden - 1;
      element.dataset.more = before && after ? 'both' : before ? 'left' : 'right';
    } else {
      for (const name of ['tabindex', 'role', 'aria-label', 'data-more']) element.removeAttribute(name);
    }
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  if (element.firstElementChild) observer.observe(element.firstElementChild);
  element.addEventListener('scroll', look, { passive: true });
  return {
    destroy() {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    },
  };
}
