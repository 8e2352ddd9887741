// Follows the system until the reader chooses; the choice is kept in this browser.
export type Theme = 'system' | 'light' | 'dark';
const key = 'aisp.theme';

export function storedTheme(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';  // storage may be forbidden
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // the choice then lasts as long as the page
  }
}

export const restoreTheme = (): void => applyTheme(storedTheme());
